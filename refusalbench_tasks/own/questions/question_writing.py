"""The solver that writes questions about a chunk and checks them by rule."""

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import StoreModel
from pydantic import Field

from refusalbench_tasks.generators.kit.call_cache import cache_policy
from refusalbench_tasks.own.questions.outcome import Outcome
from refusalbench_tasks.own.questions.slot import ChunkSlot
from refusalbench_tasks.own.questions.writing import WrittenQuestions, write_questions


class Writing(StoreModel):
    """What was written about a chunk, and what its readers said: kept in the log."""

    written: WrittenQuestions = Field(default_factory=WrittenQuestions)
    outcomes: list[Outcome] = Field(default_factory=list)


@solver
def question_writing(cache: bool = True, seed: int = 0) -> Solver:
    """Write questions by the evaluated model and check them by rule; the scorer asks the readers.

    Args:
        cache: Keep finished calls for a week, so that a killed run does not pay twice.
        seed: Another seed asks the model anew instead of using what is kept.
    """
    policy = cache_policy(cache, seed)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        found = await write_questions(get_model(), state.metadata_as(ChunkSlot), policy)
        state.store_as(Writing).written = found
        state.output.completion = found.raw if found.failure else "\n".join(draft.question for draft in found.kept)
        return state

    return solve
