"""The solver that writes a candidate for a slot and checks it."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import Field

from refusalbench_tasks.generators.blind_reading import BlindReading
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.hopeless import tries_of
from refusalbench_tasks.generators.joint_writing import WrittenTogether, draft_of, write_together
from refusalbench_tasks.generators.kit.call_cache import cache_policy
from refusalbench_tasks.generators.kit.shared_calls import SharedCalls
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.noted import Declined, Skipped
from refusalbench_tasks.generators.relative_intensity import IntensityRank
from refusalbench_tasks.generators.siblings import family
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.generators.writer import WriteForm, Written, written
from refusalbench_tasks.generators.writer import write as write_alone
from refusalbench_tasks.judging.ask import Spent


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
    """What readings, votes and ranks of all siblings took, where this sample was the one that asked for them."""
    ranking: IntensityRank | None = Field(default=None)
    skipped: list[Skipped] = Field(default_factory=list)


def with_alternatives(slot: Slot, candidate: Candidate, cell: Sequence[Lever]) -> Candidate:
    """Return a candidate with the other codes that its lever accepts."""
    lever = Case(slot, candidate, cell).lever
    return candidate.model_copy(update={"accepted_alternatives": lever.accepted_alternatives}) if lever else candidate


@solver
def perturbation(
    lever_file: str | None = None,
    cache: bool = True,
    seed: int = 0,
    write: WriteForm = "edits",
    skip_hopeless: bool = False,
) -> Solver:
    """Write a candidate by the evaluated model and check it by rule; the scorer asks the verifiers.

    Where the writer declines a lever, the slot's next alternative is tried in the same attempt.

    Args:
        lever_file: A file with levers beside the bundled ones.
        cache: Keep finished calls for a week, so that a killed run does not pay twice.
        seed: Another seed asks the model anew instead of using what is kept.
        write: `edits` (changes with their evidence; the writer may decline) or `whole` (whole texts, as the paper).
        skip_hopeless: Whether an alternative takes the place of a lever with which this writer was hardly ever accepted
            so far on bases with such an answer (`Count.hopeless`). The last lever of a slot is always tried.
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
            slot = _past_hopeless(slot, stored, state) if skip_hopeless else slot
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
            tries_of(get_model()).add(slot, False)
            slot = slot.with_next_lever()
            if slot is not None:
                state.metadata = state.metadata | slot.model_dump(mode="json")
        return state

    return solve


def _past_hopeless(slot: Slot, stored: Generation, state: TaskState) -> Slot:
    """Return the slot with the first of its levers that is not hopeless for this writer, or with its last."""
    tries = tries_of(get_model())
    while slot.lever and slot.alternatives and tries.of(slot).hopeless:
        known, following = tries.of(slot), slot.with_next_lever()
        stored.skipped = [*stored.skipped, Skipped(lever=slot.lever, tries=known.tries, accepted=known.accepted)]
        assert following is not None
        slot = following
        state.metadata = state.metadata | slot.model_dump(mode="json")
    return slot
