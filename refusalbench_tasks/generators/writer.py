"""The writer: asks a model for a candidate."""

from collections.abc import Sequence

from inspect_ai.model import CachePolicy, GenerateConfig, Model
from pydantic import BaseModel

from refusalbench_tasks.generators.candidate import Candidate, Draft, MultiDraft, SingleDraft, candidate_of
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.prompt_parts import lever_text, levers_of, original_parts, plan_text
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.judging.ask import CallFailed, Form, Spent, ask, how_to_submit, reasons
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled

LONGEST_OUTPUT = 8_000
"""Room for several rewritten passages, where no `--max-tokens` is given."""
ROOM_TO_THINK = 8_000
"""More of it for a model that reasons: its thoughts count as output."""
FORM = Form("item", thinks=True, in_prose=True)
"""How a writer gives its item. Rules and verifiers check whatever is taken from a longer text."""


class Written(BaseModel):
    """A candidate, or why there is none; calls and tokens that were spent on it; what the model said last."""

    candidate: Candidate | None
    failure: str | None
    spent: Spent
    raw: str = ""


async def write(model: Model, slot: Slot, cell: Sequence[Lever], cache: CachePolicy | bool = False) -> Written:
    """Return what a model makes of a slot. An output that does not fit the schema is asked for once more."""
    schema: type[Draft] = MultiDraft if slot.multi else SingleDraft
    room = LONGEST_OUTPUT + (ROOM_TO_THINK if reasons(model) else 0)
    config = None if model.config.max_tokens else GenerateConfig(max_tokens=room)
    try:
        found = await ask(model, writer_prompt(slot, cell), schema, cache, config, FORM)
    except CallFailed as failed:
        raise failed.error from None
    if found.answer is None:
        return Written(candidate=None, failure=found.failure, spent=found.spent, raw=found.raw)
    return Written(candidate=candidate_of(found.answer, slot.base), failure=None, spent=found.spent)


def writer_prompt(slot: Slot, cell: Sequence[Lever]) -> str:
    """Return the writer's prompt: what is the same for every item first, the item last."""
    schema = MultiDraft if slot.multi else SingleDraft
    levers = "\n\n".join(lever_text(lever, slot) for lever in levers_of(slot, cell))
    parts = [
        bundled("refusalbench_tasks.generators", "writer.txt"),
        how_to_submit(schema, FORM.thing),
        plan_text(slot),
        levers,
        material(original_parts(slot)),
    ]
    if slot.feedback:
        reasons = "\n".join(f"- {reason}" for reason in slot.feedback)
        parts.append(
            f"This is attempt {slot.attempt}. Earlier attempts were rejected:\n\n{material({'REASONS': reasons})}"
        )
    return "\n\n".join(parts)
