"""The parts of a prompt that describe a slot: plan, levers, original, candidate,
changes, worked examples.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting import bundled, numbered

from .criteria import (
    constraint_of,
    intensity_meaning,
    target_of,
)
from .draft import Candidate
from .levers import Lever, Strategy
from .slot import ItemSlot

Parts = dict[str, str]

_AROUND = 4
"""Words of an unchanged text that are shown on each side of a change."""


def planned_lever(slot: ItemSlot, levers: Iterable[Lever]) -> Lever:
    """Return the planned lever.

    Raises DataError if it is none of those given, as without the run's `lever_file`.
    """
    for lever in levers:
        if lever.name.casefold() == slot.lever.casefold():
            return lever
    raise DataError(
        f"lever_file: no lever '{slot.lever}', which {slot.slot_id} was planned with;"
        " name its file"
    )


def plan_text(
    slot: ItemSlot,
    lever: Lever,
    example: bool,
) -> str:
    """Return class, intensity, constraint and lever in words; what they mean stands in
    the table before.
    """
    cell = (slot.perturbation, slot.intensity)
    lines = [
        f"Class: {slot.perturbation}",
        f"Intensity: {slot.intensity} ({intensity_meaning(*cell)})",
        f"Answer constraint: {constraint_of(*cell)}",
        "",
        f"Lever: {lever.name}",
        f"What to do: {lever.instruction}",
        f"Target: {target_of(lever, len(slot.base.passages), slot.base.signal)}",
    ]
    if example:
        before = lever.example.before
        after = lever.example.after
        lines += [
            f"Example, before: {before.query} | {before.context}",
            f"Example, after: {after.query} | {after.context}",
            f"Example, why: {lever.example.why}",
        ]
    return "\n".join(lines)


def original_parts(slot: ItemSlot) -> Parts:
    """Return the original as material: question, passages, answers, and which passages
    bear on the question.
    """
    base = slot.base
    several = len(base.passages) != 1
    parts = {
        "QUESTION": base.query,
        "PASSAGES": numbered(base.passages) if several else base.passages[0],
        "ANSWERS": "\n".join(base.references),
    }
    if slot.multi:
        parts["PASSAGES THAT BEAR ON THE QUESTION"] = ", ".join(
            str(k + 1) for k in base.signal
        )
    return parts


def candidate_parts(slot: ItemSlot, candidate: Candidate) -> Parts:
    """Return the candidate as material: question and passages, of several only the
    changed ones.
    """
    name = "CHANGED PASSAGES" if slot.multi else "PERTURBED PASSAGE"
    return {
        "PERTURBED QUESTION": candidate.query,
        name: changed_passages(slot.base.passages, candidate.passages),
    }


def changed_passages(before: Sequence[str], after: Sequence[str]) -> str:
    """Return one passage as it reads now, if it changed; of several those that changed,
    numbered.
    """
    if len(after) == 1:
        return "(as in the original)" if after[0] == before[0] else after[0]
    changed = []
    for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
        if old != new:
            changed.append(f"[{number}] {new}")
    return "\n\n".join(changed) or "(none)"


def changes_of(slot: ItemSlot, candidate: Candidate) -> list[str]:
    """Return one line `where: old → new` for each change of the question and the
    passages.
    """
    base = slot.base
    texts = [("question", base.query, candidate.query)]
    pairs = zip(
        base.passages,
        candidate.ungrounded,
        strict=False,
    )
    for number, (before, after) in enumerate(pairs, 1):
        where = f"passage {number}" if slot.multi else "passage"
        texts.append((where, before, after))
    lines = []
    for where, before, after in texts:
        for old, new in word_changes(before, after):
            lines.append(f"{where}: {old} → {new}")
    if candidate.ground_added:
        where = f"passage {candidate.ground_passage + 1}"
        lines.append(f"{where}, sentence added: {candidate.ground_added}")
    return lines


def word_changes(before: str, after: str) -> list[tuple[str, str]]:
    """Return the stretches of words that differ, with a few of the words around them,
    old and new.

    Changes that stand closer together than that are one; a text of which little is left
    is one change.
    """
    old = before.split()
    new = after.split()
    matcher = SequenceMatcher(
        None,
        old,
        new,
        autojunk=False,
    )
    changes = []
    for group in matcher.get_grouped_opcodes(_AROUND):
        _, old_start, _, new_start, _ = group[0]
        _, _, old_end, _, new_end = group[-1]
        changes.append(
            (
                " ".join(old[old_start:old_end]) or "(nothing)",
                " ".join(new[new_start:new_end]) or "(nothing)",
            )
        )
    return changes


SEVERAL = "several.yaml"


@cache
def several_examples() -> dict[Strategy, dict[str, Any]]:
    """Return the bundled examples by their strategy (texts: ours).

    Each has `lever`, `question`, ten `passages`, those of them that bear on the
    question (`signal`, from 1), those that a lever `changed` by number, and `why`.
    """
    text = bundled("refusalbench_tasks.generators", SEVERAL)
    examples: Any = yaml_value(text, SEVERAL)
    return dict(examples)


def examples_for(strategies: frozenset[Strategy]) -> list[str]:
    """Return the texts of the examples for some strategies; none for a strategy that
    acts on the question too.
    """
    return [
        _shown(example)
        for strategy, example in several_examples().items()
        if strategy in strategies
    ]


def _shown(example: dict[str, Any]) -> str:
    """Return an example as a writer sees it: all passages before, the changed ones
    after.
    """
    lines = [
        f"Example with several passages, of the lever '{example['lever']}':",
        f"Before, question: {example['question']}",
        (
            "Before, passages (those that bear on the question:"
            f" {', '.join(map(str, example['signal']))}):"
        ),
        numbered(example["passages"]).replace("\n\n", "\n"),
        "After, passages that were changed (the question and all others stay):",
        *(f"[{k}] {text}" for k, text in example["changed"].items()),
        f"Why: {example['why']}",
    ]
    return "\n".join(lines)
