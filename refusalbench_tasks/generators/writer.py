"""The writer: asks a model for a candidate."""

from collections.abc import Sequence
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel

from refusalbench_tasks.generators.candidate import Candidate, Draft, MultiDraft, SingleDraft, candidate_of
from refusalbench_tasks.generators.code_table import code_table
from refusalbench_tasks.generators.edit_draft import EditDraft, edit_draft
from refusalbench_tasks.generators.kit.writer_call import ask_writer
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.prompt_parts import (
    changed_passages,
    lever_text,
    levers_of,
    original_parts,
    plan_text,
)
from refusalbench_tasks.generators.several import examples_for
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material, shared_lengths
from refusalbench_tasks.prompting import bundled

WriteForm = Literal["edits", "whole"]
_PACKAGE = "refusalbench_tasks.generators"
LONGEST_OUTPUT = 8_000
"""Room for several rewritten passages, where no `--max-tokens` is given."""
FORM = Form("item", thinks=True, in_prose=True)
"""How a writer gives its item. Rules and verifiers check whatever is taken from a longer text."""


class Written(BaseModel):
    """A candidate, or why there is none; calls and tokens that were spent on it; what the model said last.

    `declined` is why the writer holds the lever to be inapplicable. `siblings` are the drafts of the other intensities
    that came in the same call.
    """

    candidate: Candidate | None
    failure: str | None
    declined: str | None = None
    spent: Spent
    raw: str = ""
    siblings: dict[str, dict[str, Any]] = {}


async def write(
    model: Model,
    slot: Slot,
    cell: Sequence[Lever],
    cache: CachePolicy | bool = False,
    form: WriteForm = "edits",
) -> Written:
    """Return what a model makes of a slot. An output that does not fit the schema is asked for once more.

    `form` is `edits` (changes with their evidence; the writer may decline) or `whole` (whole texts, as the paper).
    """
    prompt, schema = writer_prompt(slot, cell, form), schema_of(slot, cell, form)
    shared = shared_lengths(prompt, original_parts(slot))
    found = await ask_writer(model, prompt, schema, FORM, LONGEST_OUTPUT, cache, shared)
    answer = found.answer
    if answer is None:
        return Written(candidate=None, failure=found.failure, spent=found.spent, raw=found.raw)
    return written(answer, slot, found.spent)


def written(answer: Draft, slot: Slot, spent: Spent) -> Written:
    """Return what a valid draft comes to: a candidate, or a lever that is declined."""
    if isinstance(answer, EditDraft) and not answer.applicable:
        return Written(candidate=None, failure=None, declined=answer.why_not.strip(), spent=spent)
    return Written(candidate=candidate_of(answer, slot.base), failure=None, spent=spent)


def schema_of(slot: Slot, cell: Sequence[Lever], form: WriteForm = "edits") -> type[Draft]:
    """Return the schema of a writer's output for a slot."""
    if form == "whole":
        return MultiDraft if slot.multi else SingleDraft
    ground = any(lever.ground for lever in levers_of(slot, cell))
    return edit_draft(slot.perturbation, slot.intensity, slot.multi, ground)


def writer_prompt(slot: Slot, cell: Sequence[Lever], form: WriteForm = "edits") -> str:
    """Return the writer's prompt: what is the same for every item first, the item last."""
    usable = levers_of(slot, cell)
    levers = "\n\n".join(lever_text(lever, slot) for lever in usable)
    several = examples_for(frozenset(lever.multi for lever in usable)) if slot.multi else []
    parts = [
        bundled(_PACKAGE, "writer.txt"),
        code_table(),
        bundled(_PACKAGE, f"writer_{form}.txt"),
        how_to_submit(schema_of(slot, cell, form), FORM.thing),
        *several,
        material(original_parts(slot)),
        plan_text(slot),
        levers,
    ]
    return "\n\n".join([*parts, *_repair(slot, form)])


def _repair(slot: Slot, form: WriteForm) -> list[str]:
    """Return what a further attempt is told: the last candidate, and all that was wrong so far."""
    if not slot.feedback:
        return []
    shown = {"REASONS": "\n".join(f"- {reason}" for reason in slot.feedback)}
    what = "Earlier attempts were rejected, for the reasons below."
    if slot.last is not None:
        what += (
            " The last candidate is shown too. Repair it: keep what is good, and change what the reasons name; start "
            "anew only if it cannot be repaired."
        )
        what += " Edits are of the original, not of this candidate." if form == "edits" else ""
        shown |= {
            "LAST QUESTION": slot.last.query,
            "LAST PASSAGES": changed_passages(slot.base.passages, slot.last.passages),
        }
    return [f"This is attempt {slot.attempt}. {what}", material(shown)]
