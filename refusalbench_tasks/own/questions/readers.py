"""Who reads questions, and whether they can."""

from contextvars import Context

from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN, preflight, require_alive

ROLE = "reader"
UNBOUND = "no reader is bound; bind some: --model-role reader=MODEL,MODEL,..."


def readers(self_reads: bool = False) -> list[Model]:
    """Return the models of the role `reader`. Raises DataError if it is unbound, or if only the writer is left."""
    bound = model_roles().get(ROLE)
    if bound is None:
        raise DataError(UNBOUND)
    models = list(bound) if isinstance(bound, list) else [bound]
    left = models if self_reads else [model for model in models if str(model) != str(get_model())]
    if not left:
        raise DataError("self_reads=false leaves no reader; bind a model that is not the writer")
    return list({str(model): model for model in left}.values())


def require_bound_readers() -> None:
    """Raise DataError if Inspect is building a task from its name, and no model is bound to the role `reader`.

    A task that is built in Python gets its roles later, from `eval`: then `require_readers` tells, in the run.
    """
    roles = model_roles()
    # in an empty context nobody has set the roles: what is found there is what a call outside of a run finds
    if roles is not Context().run(model_roles) and ROLE not in roles:
        raise DataError(UNBOUND)


@solver
def require_readers(self_reads: bool = False, max_failures: int = LONGEST_RUN) -> Solver:
    """Raise DataError before anything is paid for, if nobody can read or a reader cannot be called.

    Each reader is called once at the start of a run. No question is written after a reader has failed too often.

    Args:
        self_reads: As in `question_scores`.
        max_failures: As in `question_scores`; 0 also leaves out the call at the start.
    """
    from anyio import Lock

    lock: Lock | None = None
    outcome: list[DataError | None] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal lock
        models = readers(self_reads)
        lock = lock or Lock()
        async with lock:
            if max_failures and not outcome:
                outcome.append(await _problem(models))
        if outcome and outcome[0]:
            raise DataError(str(outcome[0]))
        require_alive(models, max_failures, ROLE, "readings")
        return state

    return solve


async def _problem(models: list[Model]) -> DataError | None:
    try:
        await preflight(models, ROLE)
    except DataError as error:
        return error
    return None
