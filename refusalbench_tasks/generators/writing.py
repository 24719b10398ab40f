"""The writer: asked for one item, or for the items of a base question and class that
differ in intensity alone.
"""

from collections import defaultdict
from typing import Any

from inspect_ai.model import Model
from pydantic import BaseModel, ValidationError

from refusalbench_tasks.judging.ask import Cache, Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material, shared_lengths
from refusalbench_tasks.prompting import bundled

from .criteria import class_table, evidence_asked
from .draft import Draft, ItemDrafts, drafts_schema
from .kit.calls import ask_writer
from .levers import Levers
from .perturb_settings import WriteForm
from .prompt_parts import (
    changed_passages,
    examples_for,
    original_parts,
    plan_text,
    planned_lever,
)
from .slot import ItemSlot, Slots

Drafts = dict[str, dict[str, Any]]
"""Drafts by their intensity."""

_PACKAGE = "refusalbench_tasks.generators"
LONGEST_OUTPUT = 8_000
"""Room for several rewritten passages of one item, where no `--max-tokens` is given."""
FORM = Form(
    "items",
    thinks=True,
    in_prose=True,
)
"""How a writer gives items.

Checks and verifiers see whatever is taken from a longer text.
"""


class Written(BaseModel):
    """The drafts of one call by intensity, as the writer gave them; why there is none;
    what it took and said last.
    """

    drafts: Drafts = {}
    failure: str | None = None
    spent: Spent = Spent()
    raw: str = ""


async def write(
    model: Model,
    slots: Slots,
    levers: Levers,
    cache: Cache = False,
    form: WriteForm = "edits",
) -> Written:
    """Return what a model makes of slots of one base and class in one call; raises the
    provider's error.

    A draft whose evidence is not that of its intensity, an intensity that is given
    twice, and a reply that does not fit the schema when it is asked for once more give
    no draft.
    """
    prompt = perturb_prompt(slots, levers, form)
    first = slots[0]
    schema = _schema_of(slots, form)
    shared = shared_lengths(prompt, original_parts(first))
    reply = await ask_writer(
        model,
        prompt,
        schema,
        FORM,
        len(slots) * LONGEST_OUTPUT,
        cache,
        shared,
    )
    items = reply.answer.items if reply.answer else []
    given = defaultdict(list)
    for item in items:
        draft = item.model_dump(mode="json")
        given[draft.pop("intensity")].append(draft)
    once = {level: drafts[0] for level, drafts in given.items() if len(drafts) == 1}
    kept = {}
    for slot in slots:
        level = slot.intensity.value
        if draft_for(slot, once, form):
            kept[level] = once[level]
    return Written(
        drafts=kept,
        failure=reply.failure,
        spent=reply.spent,
        raw=reply.raw,
    )


def draft_for(
    slot: ItemSlot,
    drafts: Drafts,
    form: WriteForm = "edits",
) -> Draft | None:
    """Return the draft of a slot among those of a call; None if there is none that fits
    its schema, as with the evidence of another intensity.
    """
    level = slot.intensity.value
    if level not in drafts:
        return None
    entry = drafts[level] | {"intensity": level}
    try:
        return _schema_of([slot], form).model_validate({"items": [entry]}).items[0]
    except ValidationError:
        return None


def _schema_of(slots: Slots, form: WriteForm) -> type[ItemDrafts]:
    first = slots[0]
    levels = tuple(slot.intensity for slot in slots)
    return drafts_schema(
        first.perturbation,
        levels,
        first.multi,
        form,
    )


def perturb_prompt(
    slots: Slots,
    levers: Levers,
    form: WriteForm = "edits",
) -> str:
    """Return the prompt for slots of one base and class: what all items share first,
    the plans last.
    """
    first = slots[0]
    planned = [planned_lever(slot, levers) for slot in slots]
    strategies = frozenset(lever.multi for lever in planned)
    schema = _schema_of(slots, form)
    parts = [
        bundled(_PACKAGE, "writer.txt"),
        class_table(),
        bundled(_PACKAGE, f"writer_{form}.txt"),
        how_to_submit(schema, FORM.thing),
        *(examples_for(strategies) if first.multi else []),
        material(original_parts(first)),
        f"Items asked for: {len(slots)}.",
    ]
    for slot, lever in zip(slots, planned, strict=True):
        parts.append(plan_text(slot, lever, example=True))
        if form == "edits":
            parts.append(
                f"Evidence to give: {evidence_asked(slot.perturbation, slot.intensity)}"
            )
    return "\n\n".join([*parts, *_repair(first, form)])


def _repair(slot: ItemSlot, form: WriteForm) -> list[str]:
    """Return what a further attempt is told: the last candidate, and all that was wrong
    so far.
    """
    if not slot.feedback:
        return []
    shown = {"REASONS": "\n".join(f"- {reason}" for reason in slot.feedback)}
    what = "Earlier attempts were rejected, for the reasons below."
    if slot.last is not None:
        what += (
            " The last candidate is shown too. Repair it: keep what is good, and change"
            " what the reasons name; start anew only if it cannot be repaired."
        )
        if form == "edits":
            what += " Edits are of the original, not of this candidate."
        changed = changed_passages(slot.base.passages, slot.last.passages)
        shown |= {
            "LAST QUESTION": slot.last.query,
            "LAST PASSAGES": changed,
        }
    return [f"This is attempt {slot.attempt}. {what}", material(shown)]
