"""The solver that writes a candidate for a slot and checks it."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import CachePolicy, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

from refusalbench_tasks.generators.blind_reading import BlindReading
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.joint_writing import WrittenTogether, draft_of, write_together
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.siblings import family
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.generators.writer import WriteForm, Written, written
from refusalbench_tasks.generators.writer import write as write_alone
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.judging.shared_calls import SharedCalls


class Declined(BaseModel):
    """A lever that the writer held to be inapplicable, and why; without a name where it could choose among all."""

    lever: str | None
    why: str


class Generation(StoreModel):
    """What was written for a slot, which checks it breaks, and the votes on it: kept in the log."""

    candidate: Candidate | None = Field(default=None)
    failure: str | None = Field(default=None)
    declined: list[Declined] = Field(default_factory=list)
    broken: dict[str, str] = Field(default_factory=dict)
    spent: Spent = Field(default_factory=Spent)
    reading: BlindReading | None = Field(default=None)
    votes: list[ItemVote] = Field(default_factory=list)
    panel_share: float = Field(default=0.0)
    siblings: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """The drafts of the same call, by intensity: what was written together is verified together."""
    shared_spent: Spent = Field(default_factory=Spent)
    """What readings and votes on all siblings took, where this sample was the one that asked for them."""


def with_alternatives(slot: Slot, candidate: Candidate, cell: Sequence[Lever]) -> Candidate:
    """Return a candidate with the other codes that its lever accepts."""
    lever = Case(slot, candidate, cell).lever
    return candidate.model_copy(update={"accepted_alternatives": lever.accepted_alternatives}) if lever else candidate


def cache_policy(cache: bool, seed: int) -> CachePolicy | bool:
    """Return the policy by which a killed run repays no finished call; another seed asks anew."""
    return CachePolicy(expiry="1W", scopes={"refusalbench_seed": str(seed)}) if cache else False


@solver
def perturbation(
    lever_file: str | None = None, cache: bool = True, seed: int = 0, write: WriteForm = "edits"
) -> Solver:
    """Write a candidate by the evaluated model and check it by rule; the scorer asks the verifiers.

    Where the writer declines a lever, the slot's next alternative is tried in the same attempt.

    Args:
        lever_file: A file with levers beside the bundled ones.
        cache: Keep finished calls for a week, so that a killed run does not pay twice.
        seed: Another seed asks the model anew instead of using what is kept.
        write: `edits` (changes with their evidence; the writer may decline) or `whole` (whole texts, as the paper).
    """
    known = load_levers(lever_file)
    policy = cache_policy(cache, seed)
    shared: SharedCalls[WrittenTogether] = SharedCalls()

    async def ask_for(slot: Slot, epoch: int) -> Written:
        """Return what is written for a slot: with its siblings if it has any, alone if that gave no valid draft."""
        spent = Spent()
        if slot.siblings:
            slots = family(slot)
            key = (str(get_model()), slot.base.item_id, slot.perturbation, epoch)
            made, mine = await shared.take(key, lambda: write_together(get_model(), slots, known, policy), len(slots))
            spent = made.spent if mine else spent
            own = draft_of(made.drafts.get(slot.intensity.value, {}), slot, known)
            if own is not None:
                others = {level: draft for level, draft in made.drafts.items() if level != slot.intensity}
                return written(own, slot, spent).model_copy(update={"siblings": others})
        alone = await write_alone(get_model(), slot, cell_of(slot, known), policy, write)
        return alone.model_copy(update={"spent": spent + alone.spent})

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        slot: Slot | None = state.metadata_as(Slot)
        stored = state.store_as(Generation)
        while slot is not None:
            cell = cell_of(slot, known)
            found = await ask_for(slot, state.epoch)
            stored.candidate, stored.failure = found.candidate, found.failure
            stored.siblings = found.siblings if found.candidate is not None else {}
            stored.spent = stored.spent + found.spent
            if found.candidate is not None:
                stored.broken = check(slot, found.candidate, cell)
                stored.candidate = with_alternatives(slot, found.candidate, cell)
                state.output.completion = f"{found.candidate.query}\n\n" + "\n\n".join(found.candidate.passages)
            else:
                state.output.completion = found.raw
            if found.declined is None:
                break
            stored.declined = [*stored.declined, Declined(lever=slot.lever, why=found.declined)]
            slot = slot.with_next_lever()
            if slot is not None:
                state.metadata = state.metadata | slot.model_dump(mode="json")
        return state

    return solve
