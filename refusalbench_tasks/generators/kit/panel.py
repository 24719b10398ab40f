"""Who judges what was written, in which order, what their votes decide, and what stops
a run with a dead one.
"""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect
from pydantic import BaseModel

from refusalbench_tasks.errors import DataError, end_run
from refusalbench_tasks.judging.ask import CallFailed, Form, Reply, Spent, ask
from refusalbench_tasks.replies.outside_text import problem_of

from . import once_a_run

Judges = Sequence[Model]

if TYPE_CHECKING:
    from .annotator import Annotation

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


class Ballot(BaseModel):
    """One model's vote on one text (`digest`); `passed` None, with the failure, if it
    gave no valid one.
    """

    verifier: str
    digest: str
    passed: bool | None = None
    failure: str | None = None
    spent: Spent = Spent()

    @property
    def missing(self) -> str | None:
        """Return why there is no vote; None if there is one."""
        return (self.failure or "no verdict") if self.passed is None else None


Vote = TypeVar("Vote", bound=Ballot)
Key = TypeVar("Key", bound=Hashable)


def ballot_facts(
    judge: Model,
    digest: str,
    reply: "Reply[Any] | Annotation",
) -> dict[str, Any]:
    """Return who voted on which text, what it took, and why there is no vote, if there
    is none.
    """
    return {
        "verifier": str(judge),
        "digest": digest,
        "failure": reply.failure,
        "spent": reply.spent,
    }


class Ready(BaseModel, use_attribute_docstrings=True):
    """What a model says before a run."""

    ready: bool
    """true"""


def annotator_of(judges: Judges) -> Model:
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
        JudgePanel(role, include_writer).judges()


class Failures(dict[str, list[str]]):
    """What each judge of a run failed at, in a row; setup and scorer share it."""


@dataclass(frozen=True)
class JudgePanel:
    """Who judges the items of a run, and how often each of them failed in a row."""

    role: str = ROLE
    include_writer: bool = False
    """Whether the writer may be one of the judges."""
    max_failures: int = LONGEST_RUN
    """Failures of a judge in a row that stop the run; 0 allows any number."""
    opinions: str = "votes"
    """What a judge gives."""
    failures: Failures = field(default_factory=partial(once_a_run, Failures))

    def judges(self) -> list[Model]:
        """Return the models of the role, each once.

        Raises DataError if it is unbound, or if only the writer is left.
        """
        bound = model_roles().get(self.role)
        if bound is None:
            end_run(
                f"no {self.role} is bound; bind some: --model-role"
                f" {self.role}=MODEL,MODEL,..."
            )
        models = bound if isinstance(bound, list) else [bound]
        by_name = {str(model): model for model in models}
        if not self.include_writer:
            by_name.pop(str(get_model()), None)
        if not by_name:
            also = f", or allow it: {OWN_VOTES}" if self.role == ROLE else ""
            end_run(
                f"the writer {get_model()} is the only {self.role}, and it can't judge"
                f" what it wrote; bind another model: --model-role"
                f" {self.role}=PROVIDER/MODEL{also}"
            )
        return list(by_name.values())

    async def ask(
        self,
        judges: Judges,
        ask_judge: Callable[[Model], Awaitable[Vote]],
        kept: Sequence[Vote],
        stop: bool,
    ) -> list[Vote]:
        """Return the votes of judges on one text, as `ask_together` does on several."""

        async def ask_alone(judge: Model, _: Sequence[str]) -> list[Vote]:
            return [await ask_judge(judge)]

        votes = await self.ask_together(
            judges,
            ask_alone,
            {"text": kept},
            stop,
        )
        return votes["text"]

    async def ask_together(
        self,
        judges: Judges,
        ask_judge: Callable[[Model, Sequence[Key]], Awaitable[Sequence[Vote]]],
        kept: Mapping[Key, Sequence[Vote]],
        stop: bool,
    ) -> dict[Key, list[Vote]]:
        """Return the votes of judges on texts, in the judges' order: those that are
        kept, and those that are asked for now.

        A judge votes in one call on all texts on which its vote is missing. With `stop`
        one judge after another is asked, and about no text that one has failed; else
        all at once. Failures are counted.
        """
        votes = {}
        for key, cast in kept.items():
            given = [vote for vote in cast if vote.passed is not None]
            votes[key] = {vote.verifier: vote for vote in given}

        async def ask(judge: Model) -> None:
            name = str(judge)
            asked = []
            for key, others in votes.items():
                done = stop and failed_by_any(others.values())
                if name not in others and not done:
                    asked.append(key)
            if not asked:
                return
            new = await ask_judge(judge, asked)
            for key, vote in zip(asked, new, strict=True):
                votes[key][name] = vote
            missing = filter(None, (vote.missing for vote in new))
            self.count(judge, next(missing, None))

        if stop:
            for judge in judges:
                await ask(judge)
                if self._is_dead(str(judge)):
                    # `require_alive` ends the run, and the next is not paid for
                    break
        else:
            await collect(*map(ask, judges))
        order = list(map(str, judges))
        ordered = {}
        for key, by_judge in votes.items():
            ordered[key] = [by_judge[name] for name in order if name in by_judge]
        return ordered

    def count(
        self,
        judge: Model,
        failure: str | None,
    ) -> None:
        """Add a failure to those of a judge in a row; None, for a call that gave what
        was asked for, ends the row.
        """
        if failure is None:
            self.failures.pop(str(judge), None)
        else:
            self.failures.setdefault(str(judge), []).append(failure)

    def require_alive(self, judges: Judges) -> None:
        """Raise DataError with the last failure of a judge that failed too often in a
        row.
        """
        for name in map(str, judges):
            if self._is_dead(name):
                row = self.failures[name]
                end_run(
                    f"{self.role} {name} failed {len(row)} times in a row, last:"
                    f" {row[-1]}; the run stops. Mend it, go on with `inspect"
                    f" eval-retry`, then ask for the missing {self.opinions} with"
                    " `inspect score`"
                )

    def _is_dead(self, name: str) -> bool:
        row = self.failures.get(name, [])
        return 0 < self.max_failures <= len(row)


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

    panel = JudgePanel(role, self_votes, max_failures)
    lock = None
    outcome: list[DataError | None] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal lock
        judges = panel.judges()
        if reads and role == ROLE and annotator_of(judges) not in judges:
            judges = [*judges, annotator_of(judges)]
        lock = lock or Lock()
        async with lock:
            if max_failures and not outcome:
                outcome.append(await _problem(panel, judges))
        if outcome and outcome[0]:
            end_run(outcome[0].message)
        panel.require_alive(judges)
        return state

    return solve


async def _problem(panel: JudgePanel, judges: Judges) -> DataError | None:
    """Return what is wrong with the first judge that cannot be called, in words;
    whatever the others say is right.

    The call is never taken from the cache and never waits for a batch. A judge that
    answers starts with no failures.
    """
    for judge in judges:
        try:
            form = Form("verdict", thinks=True)
            await ask(
                judge,
                PREFLIGHT,
                Ready,
                config=GenerateConfig(batch=False),
                form=form,
            )
        except CallFailed as failed:
            problem = problem_of(failed.error)
            return DataError(
                f"{panel.role} {judge} cannot be called: {problem}; nothing was paid"
                " for items yet. Mend its name, key or address, and start again"
            )
        if panel.role == READER and (missed := await _missed(judge)):
            return missed
        panel.count(judge, None)
    return None


async def _missed(reader: Model) -> DataError | None:
    """Return which known questions a reader missed, if they are more than one."""
    # every `inspect` command imports this module, and few need the reader
    from refusalbench_tasks.judging.grader_check import (
        READER_CHECK,
        TOLERATED,
        find_misses,
    )

    from .annotator import annotate_known

    misses = await find_misses(reader, annotate_known)
    if len(misses) <= TOLERATED:
        return None
    return DataError(f"{READER_CHECK.problem(reader, misses)}. {READER_CHECK.way_out}")


def failed_by_any(votes: Iterable[Ballot]) -> bool:
    """Return whether a judge fails the text."""
    return any(vote.passed is False for vote in votes)


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
