"""Who judges what was written, in which order, what their votes decide, and what stops
a run with a dead one.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Any, Literal, TypeVar

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect
from pydantic import BaseModel, Field

from refusalbench_tasks.errors import DataError, end_run
from refusalbench_tasks.judging.ask import CallFailed, Form, Spent, ask
from refusalbench_tasks.log_reading import scores_of
from refusalbench_tasks.replies.outside_text import problem_of

ROLE = "verifier"
READER = "reader"
PREFLIGHT = (
    "This is a test of the connection, before any item is sent. Submit a verdict with"
    " ready set to true."
)
LONGEST_RUN = 20
"""Failures of one model in a row that stop a run."""
Outcome = Literal["accepted", "rejected", "undecided"]
OWN_VOTES = "-T self_votes=true (perturb), -T self_reads=true (collect)"
"""The arguments by which a writer may be a verifier; a reader of questions never wrote
them.
"""
_failures: dict[str, list[str]] = {}
# by model, what failed in a row in this process: setup and scorer of a run share it, as
# no store of a sample could


class Ballot(BaseModel):
    """One model's vote on one text (`digest`); `passed` None, with the failure, if it
    gave no valid one.
    """

    verifier: str
    digest: str
    passed: bool | None = None
    failure: str | None = None
    spent: Spent = Spent()


Vote = TypeVar("Vote", bound=Ballot)


class Ready(BaseModel):
    """What a model says before a run."""

    ready: bool = Field(description="true")


def panel_of(role: str = ROLE, include_writer: bool = False) -> list[Model]:
    """Return the models of a role, each once.

    Raises DataError if it is unbound, or if only the writer is left.
    """
    bound = model_roles().get(role)
    if bound is None:
        end_run(f"no {role} is bound; bind some: --model-role {role}=MODEL,MODEL,...")
    models = list(bound) if isinstance(bound, list) else [bound]
    left = (
        models
        if include_writer
        else [model for model in models if str(model) != str(get_model())]
    )
    if not left:
        end_run(_only_the_writer(role))
    return list({str(model): model for model in left}.values())


def annotator_of(judges: Sequence[Model]) -> Model:
    """Return the model of the role `reader`, else the first judge."""
    bound = model_roles().get(READER)
    if bound is None:
        return judges[0]
    return bound[0] if isinstance(bound, list) else bound


def require_bound(role: str = ROLE, include_writer: bool = True) -> None:
    """Raise DataError if Inspect is building a task from its name, and no model is
    bound to a role.

    Or only the writer, unless it may be. One model under two names counts as two. A
    task that is built in Python gets its roles later, from `eval`: then
    `require_verifiers` tells, in the run.
    """
    roles = model_roles()
    # in an empty context nobody has set the roles: what is found there is what a call
    # outside of a run finds
    if roles is not Context().run(model_roles):
        panel_of(role, include_writer)


def _only_the_writer(role: str) -> str:
    problem = (
        f"the writer {get_model()} is the only {role}, and it can't judge what it wrote"
    )
    way_out = f"bind another model: --model-role {role}=PROVIDER/MODEL"
    also = f", or allow it: {OWN_VOTES}" if role == ROLE else ""
    return f"{problem}; {way_out}{also}"


@solver
def require_verifiers(
    self_votes: bool = False,
    max_failures: int = LONGEST_RUN,
    reads: bool = True,
    role: str = ROLE,
) -> Solver:
    """Raise DataError before anything is paid for, if nobody can judge or a judge
    cannot be called.

    Each is called once at the start of a run; a reader of questions gets the eight that
    a grader's check is about, and must not miss more than one. An item that comes after
    one has failed too often is not written.

    Args:
        self_votes: Whether the writer may be one of them.
        max_failures: Failures of one of them in a row that stop the run; 0 also leaves
            out the call at the start.
        reads: Whether there is a blind annotation: a model of the role `reader` is then
            called at the start as well.
        role: The role of the judges.
    """
    from anyio import Lock

    lock: Lock | None = None
    outcome: list[DataError | None] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal lock
        judges = panel_of(role, self_votes)
        if reads and role == ROLE and annotator_of(judges) not in judges:
            judges = [*judges, annotator_of(judges)]
        lock = lock or Lock()
        async with lock:
            if max_failures and not outcome:
                outcome.append(await _problem(judges, role))
        if outcome and outcome[0]:
            end_run(outcome[0].message)
        require_alive(judges, max_failures, role)
        return state

    return solve


async def _problem(judges: Sequence[Model], role: str) -> DataError | None:
    """Return what is wrong with the first judge that cannot be called, in words;
    whatever the others say is right.

    The call is never taken from the cache and never waits for a batch. A judge that
    answers starts with no failures.
    """
    for judge in judges:
        try:
            form = Form("verdict", thinks=True)
            await ask(
                judge, PREFLIGHT, Ready, config=GenerateConfig(batch=False), form=form
            )
        except CallFailed as failed:
            return DataError(
                f"{role} {judge} cannot be called: {problem_of(failed.error)}; nothing"
                " was paid for items yet. Mend its name, key or address, and start"
                " again"
            )
        if role == READER and (problem := await _missed(judge)):
            return problem
        count_failure(judge, None)
    return None


async def _missed(reader: Model) -> DataError | None:
    """Return which known questions a reader missed, if they are more than one."""
    # every `inspect` command imports this module, and few need the reader
    from refusalbench_tasks.generators.kit.annotator import annotate_known
    from refusalbench_tasks.judging.grader_check import (
        READER_CHECK,
        TOLERATED,
        find_misses,
    )

    misses = await find_misses(reader, annotate_known)
    if len(misses) <= TOLERATED:
        return None
    return DataError(f"{READER_CHECK.problem(reader, misses)}. {READER_CHECK.way_out}")


def count_failure(model: Model, failure: str | None) -> None:
    """Add a failure to those of a model in a row; None, for a call that gave what was
    asked for, ends the row.
    """
    if failure is None:
        _failures.pop(str(model), None)
    else:
        _failures.setdefault(str(model), []).append(failure)


def forget_failures() -> None:
    """Begin anew, as a new run does."""
    _failures.clear()


def require_alive(
    models: Sequence[Model], most: int, role: str = ROLE, missing: str = "votes"
) -> None:
    """Raise DataError with the last failure of a model that failed `most` times in a
    row; 0 allows any number.
    """
    for name in map(str, models):
        failures = _failures.get(name, [])
        if most and len(failures) >= most:
            end_run(
                f"{role} {name} failed {len(failures)} times in a row, last:"
                f" {failures[-1]}; the run stops. Mend it, go on with `inspect"
                f" eval-retry`, then ask for the missing {missing} with `inspect score`"
            )


async def ask_panel(
    judges: Sequence[Model],
    ask_one: Callable[[Model], Awaitable[Vote]],
    kept: Sequence[Vote],
    stop: bool,
) -> list[Vote]:
    """Return the votes of a panel in its order: those that are kept, and those that are
    asked for now.

    With `stop` one judge after another is asked until one fails the text; else all at
    once. `kept` are votes on this very text; one that is missing is asked for again.
    Failures are counted.
    """
    votes = {vote.verifier: vote for vote in kept if vote.passed is not None}

    async def vote_of(judge: Model) -> None:
        votes[str(judge)] = vote = await ask_one(judge)
        count_failure(
            judge, (vote.failure or "no verdict") if vote.passed is None else None
        )

    missing = [judge for judge in judges if str(judge) not in votes]
    if missing and not stop:
        await collect(*(vote_of(judge) for judge in missing))
    else:
        for judge in missing:
            if any(vote.passed is False for vote in votes.values()):
                break
            await vote_of(judge)
    return [votes[name] for name in map(str, judges) if name in votes]


def consensus(votes: Sequence[Ballot], needed: Sequence[str]) -> Outcome:
    """Return what the votes of the needed judges decide: unanimity (RefusalBench §3.4).

    One FAIL rejects, whatever is missing. Without a FAIL, a missing vote leaves the
    item undecided, never rejected. Raises ValueError if nobody is needed: no votes are
    no consent.
    """
    if not needed:
        raise ValueError("at least one verifier must vote")
    cast = {vote.verifier: vote.passed for vote in votes if vote.passed is not None}
    if any(cast.get(name) is False for name in needed):
        return "rejected"
    return "accepted" if all(cast.get(name) for name in needed) else "undecided"


def earlier_note(state: TaskState, scorer: str) -> dict[str, Any]:
    """Return what the newest earlier scoring of a sample noted; nothing if there was
    none.
    """
    scores = state.scores or {}
    names = scores_of(scores, (scorer,))
    return (scores[names[-1]].metadata or {}) if names else {}
