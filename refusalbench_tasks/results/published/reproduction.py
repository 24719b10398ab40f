"""Published numbers beside those of a user's logs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Literal

from inspect_ai.log import EvalLog

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import LeftOut, task_of
from refusalbench_tasks.results.published.comparability import differences, released_by
from refusalbench_tasks.results.published.numbers import OF_TWO, Numbers, over_models
from refusalbench_tasks.results.published.papers import (
    DATA_SET,
    PEOPLE,
    Published,
    PublishedRow,
)
from refusalbench_tasks.results.published.writers import ALL as ALL_WRITERS
from refusalbench_tasks.results.published.writers import Writers
from refusalbench_tasks.results.table import Run, read_logs
from refusalbench_tasks.results.verifier_panel import VotedLog, read_votes
from refusalbench_tasks.stats.estimate import Estimate

Reading = Literal[
    "consistent",
    "not consistent",
    "no interval",
    "undefined",
    "not comparable",
    "needs a log",
    "needs a sheet",
]
WITHOUT: tuple[Reading, ...] = ("undefined", "needs a log", "needs a sheet")
"""The readings of numbers that the given logs say nothing about."""


@dataclass(frozen=True)
class Reproduced:
    """One published number and what a log says: NaN where there is no log, or the log
    has no such number.

    `differences` are what keeps the log from reproducing the number, a few words each.
    A number over several models names the newest of their logs.
    """

    paper: str
    row: PublishedRow
    measured: Estimate = field(default_factory=Estimate)
    header: EvalLog | None = None
    differences: tuple[str, ...] = ()

    @property
    def log(self) -> str:
        """Return the file name of the log; empty without one."""
        return self.header.location.rpartition("/")[2] if self.header else ""

    @property
    def reading(self) -> Reading:
        """Return what the log says of the number.

        `consistent`: the number lies in the log's 95 % CI, or the CI does not lie
        beyond a printed bound; for numbers about the rows, the log has the printed
        number. A log with other data, rows or settings than the published ones is `not
        comparable`.
        """
        row = self.row
        found = self.measured
        if self.header is None:
            return "needs a sheet" if row.model == PEOPLE else "needs a log"
        if not found.known:
            return "undefined"
        if self.differences:
            return "not comparable"
        if row.model == DATA_SET:
            digits = len(str(row.value).partition(".")[2])
            return (
                "consistent"
                if round(found.value, digits) == row.value
                else "not consistent"
            )
        if math.isnan(found.low):
            return "no interval"
        above = row.sign == ">" or found.low <= row.value
        below = row.sign == "<" or row.value <= found.high
        return "consistent" if above and below else "not consistent"


@dataclass(frozen=True)
class PublishedLogs:
    """The finished runs that published numbers can be set beside, the generation runs,
    and what was left out.

    `names` says which published model an evaluated one stands for, where its id does
    not tell.
    """

    runs: Sequence[Run]
    generation: Sequence[VotedLog] = ()
    left_out: Sequence[LeftOut] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def stands_for(self, paper: Published, model: str) -> str | None:
        """Return the published model that an evaluated one is."""
        return self.names.get(model) or paper.model_of(model)

    def unknown(self, papers: Sequence[Published]) -> list[str]:
        """Return the models that are none of the published ones, each with its task."""
        runs = [
            run
            for run in self.runs
            if not any(self.stands_for(paper, run.model) for paper in papers)
        ]
        return sorted({f"{run.model} ({run.task})" for run in runs})


def reproduce(papers: Sequence[Published], logs: PublishedLogs) -> list[Reproduced]:
    """Return every published number with the newest log of its task and model, where
    there is one.

    Raises DataError for an unknown published model in the names.
    """
    known = {model for paper in papers for model in paper.models}
    for model in logs.names.values():
        if model not in known:
            raise DataError(
                f"reproduce: unknown published model '{model}'; known:"
                f" {', '.join(sorted(known))}"
            )
    return [one for paper in papers for one in _Beside(paper, logs).rows()]


class _Beside:
    """One paper's numbers beside the logs that are of its models."""

    def __init__(self, paper: Published, logs: PublishedLogs) -> None:
        self._paper, self._released = paper, released_by(logs.runs)
        self._newest: dict[tuple[str, str, int], Numbers] = {}
        for run in sorted(logs.runs, key=lambda one: one.created):
            tokens = run.header.eval.model_generate_config.reasoning_tokens or 0
            numbers = Numbers(run)
            for model in filter(None, (logs.stands_for(paper, run.model), DATA_SET)):
                self._newest[run.task, model, tokens] = numbers
        expected = len(paper.groups.get(ALL_WRITERS, ()))
        name = partial(logs.stands_for, paper)
        self._writers = {
            base: Writers(
                [log for log in logs.generation if log.multi is multi], name, expected
            )
            for base, multi in (("nq", False), ("garage", True))
        }

    def rows(self) -> list[Reproduced]:
        """Return the paper's numbers in its order."""
        return [self._row(row) for row in self._paper.rows]

    def _row(self, row: PublishedRow) -> Reproduced:
        kind, _, base = row.task.partition(" ")
        if kind == "perturb" and (writers := self._writers[base]).logs:
            return Reproduced(
                self._paper.paper,
                row,
                writers.measure(row),
                writers.log,
                writers.differences,
            )
        found = self._over(row) if row.across else self._single(row, row.model)
        return found or Reproduced(self._paper.paper, row)

    def _log(self, row: PublishedRow, model: str, tokens: int) -> Numbers | None:
        """Return the numbers of the newest log of a task and model with a budget of
        thinking tokens.

        Where a number names no budget, a log that was given one stands in for a log
        that was given none.
        """
        own = {
            budget: log
            for (task, name, budget), log in self._newest.items()
            if (task, name) == (row.task, model)
        }
        if tokens in own or row.tokens is not None:
            return own.get(tokens)
        return max(own.values(), key=lambda one: one.run.created, default=None)

    def _single(self, row: PublishedRow, model: str) -> Reproduced | None:
        numbers = self._log(row, model, row.tokens or 0)
        if numbers is None:
            return None
        other = differences(self._paper, row, model, numbers.run, self._released)
        return Reproduced(
            self._paper.paper,
            row,
            numbers.number(row.metric, row.subset),
            numbers.run.header,
            other,
        )

    def _over(self, row: PublishedRow) -> Reproduced | None:
        """Return a number over models, from the logs of those that have one; of two
        runs, only from both.
        """
        assert row.across is not None
        if row.across == "gain":
            asked = [
                (row.model_copy(update={"tokens": tokens}), row.model)
                for tokens in (0, row.tokens)
            ]
        else:
            asked = [(row, model) for model in self._paper.groups[row.model]]
        found = [
            one for one in (self._single(*each) for each in asked) if one is not None
        ]
        if not found or (row.across in OF_TWO and len(found) < len(asked)):
            return None
        against = [
            self._single(one.model_copy(update={"metric": row.against}), model)
            for one, model in asked
        ]
        number = over_models(
            row.across,
            [one.measured for one in found],
            [one.measured.value for one in against if one],
        )
        missing = (
            [f"{len(found)} of {len(asked)} models"] if len(found) < len(asked) else []
        )
        newest = max(
            (one.header for one in found if one.header),
            key=lambda header: header.eval.created,
        )
        differing = dict.fromkeys(why for one in found for why in one.differences)
        return Reproduced(
            self._paper.paper, row, number, newest, (*missing, *differing)
        )


def read_published_logs(
    paths: Sequence[str], names: Mapping[str, str] = MappingProxyType({})
) -> PublishedLogs:
    """Return the finished runs in files and folders.

    Raises DataError if paths are given and none of them holds one.
    """
    if not paths:
        return PublishedLogs((), names=names)
    logs = read_logs(paths)
    generation, unread = read_votes(
        [header for header in logs.makers if task_of(header) == "perturb"]
    )
    unfinished = [
        (run.name, f"an unfinished run (status: {run.status})")
        for run in logs.runs
        if run.status != "success"
    ]
    left_out = [*logs.left_out, *unfinished, *unread]
    used = [run for run in logs.runs if run.status == "success"]
    if not used and not generation:
        why = (
            f"; {len(left_out)} left out, the first because: {left_out[0][1]}"
            if left_out
            else ""
        )
        raise DataError(
            f"{', '.join(paths)}: no finished run of {tasks_text('bluff')}{why}"
        )
    return PublishedLogs(used, generation, left_out, names)
