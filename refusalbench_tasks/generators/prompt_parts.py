"""The parts of a prompt that describe a slot: plan, levers, original, candidate."""

from collections.abc import Sequence

from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.changes import changes_of
from refusalbench_tasks.generators.criteria import INTENSITY, constraint_of, meaning_of, target_of
from refusalbench_tasks.generators.evidence import evidence_text
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.prompting import numbered


def plan_text(slot: Slot) -> str:
    """Return class, intensity and answer constraint in words."""
    return "\n".join(
        (
            f"Class: {slot.perturbation} ({meaning_of(slot.perturbation)})",
            f"Intensity: {slot.intensity} ({INTENSITY[slot.perturbation, slot.intensity]})",
            f"Answer constraint: {constraint_of(slot.perturbation, slot.intensity)}",
        )
    )


def lever_text(lever: Lever, slot: Slot, example: bool = True) -> str:
    """Return a lever's name, instruction and target, with its example on request."""
    lines = [
        f"Lever: {lever.name}",
        f"What to do: {lever.instruction}",
        f"Target: {target_of(lever, len(slot.base.passages), slot.base.signal)}",
    ]
    if example:
        before, after = lever.example.before, lever.example.after
        lines += [
            f"Example, before: {before.query} | {before.context}",
            f"Example, after: {after.query} | {after.context}",
            f"Example, why: {lever.example.why}",
        ]
    return "\n".join(lines)


def levers_of(slot: Slot, cell: Sequence[Lever]) -> list[Lever]:
    """Return the levers that the writer may use: the planned one, or all of the cell."""
    if slot.lever is None:
        return list(cell)
    return [lever for lever in cell if lever.name == slot.lever]


def original_parts(slot: Slot) -> dict[str, str]:
    """Return the original as material: question, passages, answers, and which passages bear on the question."""
    base = slot.base
    parts = {"QUESTION": base.query, "PASSAGES": passages_text(base.passages), "ANSWERS": "\n".join(base.references)}
    if slot.multi:
        parts["PASSAGES THAT BEAR ON THE QUESTION"] = ", ".join(str(k + 1) for k in base.signal)
    return parts


def candidate_parts(slot: Slot, candidate: Candidate) -> dict[str, str]:
    """Return the candidate as material: question, passages (of several only the changed ones), changes, evidence."""
    passages = changed_passages(slot.base.passages, candidate.passages)
    name = "CHANGED PASSAGES" if slot.multi else "PERTURBED PASSAGE"
    parts = {"PERTURBED QUESTION": candidate.query, name: passages}
    parts["CHANGES"] = "\n".join(changes_of(slot.base, candidate)) or "(none)"
    if candidate.evidence is not None:
        parts["WRITER'S EVIDENCE"] = evidence_text(candidate.evidence)
    return parts


def changed_passages(before: Sequence[str], after: Sequence[str]) -> str:
    """Return one passage as it reads now, if it changed; of several those that changed, numbered."""
    if len(after) == 1:
        return after[0] if tuple(after) != tuple(before) else "(as in the original)"
    pairs = enumerate(zip(before, after, strict=True), 1)
    return "\n\n".join(f"[{k}] {new}" for k, (old, new) in pairs if old != new) or "(none)"


def passages_text(passages: Sequence[str]) -> str:
    """Return one passage as it is, several numbered."""
    return passages[0] if len(passages) == 1 else numbered(passages)
