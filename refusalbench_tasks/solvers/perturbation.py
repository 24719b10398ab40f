"""The solver that writes a candidate for a slot and checks it."""

from collections.abc import Sequence

from inspect_ai.model import CachePolicy, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

from refusalbench_tasks.generators.blind_reading import BlindReading
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.generators.writer import WriteForm
from refusalbench_tasks.judging.ask import Spent


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


def cell_of(slot: Slot, levers: tuple[Lever, ...]) -> list[Lever]:
    """Return the levers of a slot's class and intensity."""
    return [lever for lever in levers if (lever.perturbation, lever.intensity) == (slot.perturbation, slot.intensity)]


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

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        from refusalbench_tasks.generators.writer import write as ask_writer

        slot: Slot | None = state.metadata_as(Slot)
        stored = state.store_as(Generation)
        while slot is not None:
            cell = cell_of(slot, known)
            written = await ask_writer(get_model(), slot, cell, cache_policy(cache, seed), write)
            stored.candidate, stored.failure = written.candidate, written.failure
            stored.spent = stored.spent + written.spent
            if written.candidate is not None:
                stored.broken = check(slot, written.candidate, cell)
                stored.candidate = with_alternatives(slot, written.candidate, cell)
                state.output.completion = f"{written.candidate.query}\n\n" + "\n\n".join(written.candidate.passages)
            else:
                state.output.completion = written.raw
            if written.declined is None:
                break
            stored.declined = [*stored.declined, Declined(lever=slot.lever, why=written.declined)]
            slot = slot.with_next_lever()
            if slot is not None:
                state.metadata = state.metadata | slot.model_dump(mode="json")
        return state

    return solve
