"""Who verifies generated items, and whether they can."""

from collections.abc import Sequence
from contextvars import Context

from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN, preflight, require_alive

ROLE = "verifier"
READER = "reader"
UNBOUND = "no verifier is bound; bind some: --model-role verifier=MODEL,MODEL,..."


def verifiers(self_votes: bool = False) -> list[Model]:
    """Return the models of the role `verifier`. Raises DataError if it is unbound, or if only the writer is left."""
    bound = model_roles().get(ROLE)
    if bound is None:
        raise DataError(UNBOUND)
    models = list(bound) if isinstance(bound, list) else [bound]
    left = models if self_votes else [model for model in models if str(model) != str(get_model())]
    if not left:
        raise DataError("self_votes=false leaves no verifier; bind a model that is not the writer")
    return list({str(model): model for model in left}.values())


def reader(judges: Sequence[Model]) -> Model:
    """Return the model of the role `reader`, else the first verifier."""
    bound = model_roles().get(READER)
    if bound is None:
        return judges[0]
    return bound[0] if isinstance(bound, list) else bound


def require_bound_verifiers() -> None:
    """Raise DataError if Inspect is building a task from its name, and no model is bound to the role `verifier`.

    A task that is built in Python gets its roles later, from `eval`: then `require_verifiers` tells, in the run.
    """
    roles = model_roles()
    # in an empty context nobody has set the roles: what is found there is what a call outside of a run finds
    if roles is not Context().run(model_roles) and ROLE not in roles:
        raise DataError(UNBOUND)


@solver
def require_verifiers(self_votes: bool = False, max_failures: int = LONGEST_RUN, reads: bool = True) -> Solver:
    """Raise DataError before anything is paid for, if nobody can verify or a verifier cannot be called.

    Each verifier is called once at the start of a run. An item that comes after a verifier has failed too often is not
    written.

    Args:
        self_votes: As in `consensus_scores`.
        max_failures: As in `consensus_scores`; 0 also leaves out the call at the start.
        reads: Whether there is a blind reading: a model of the role `reader` is then called at the start as well.
    """
    from anyio import Lock

    lock: Lock | None = None
    outcome: list[DataError | None] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal lock
        judges = verifiers(self_votes)
        if reads and reader(judges) not in judges:
            judges = [*judges, reader(judges)]
        lock = lock or Lock()
        async with lock:
            if max_failures and not outcome:
                outcome.append(await _problem(judges))
        if outcome and outcome[0]:
            raise DataError(str(outcome[0]))
        require_alive(judges, max_failures)
        return state

    return solve


async def _problem(judges: Sequence[Model]) -> DataError | None:
    try:
        await preflight(judges)
    except DataError as error:
        return error
    return None
