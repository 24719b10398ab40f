"""Published numbers beside those of a user's logs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.log_files import task_of
from refusalbench_tasks.results.published.comparability import differences, released_fingerprints
from refusalbench_tasks.results.published.numbers import OF_TWO, Numbers, over_models
from refusalbench_tasks.results.published.papers import DATA_SET, PEOPLE, Published, PublishedRow
from refusalbench_tasks.results.published.writers import ALL as ALL_WRITERS
from refusalbench_tasks.results.published.writers import Writers
from refusalbench_tasks.results.table import Run, read_logs
from refusalbench_tasks.results.votes import VotedLog, read_votes
from refusalbench_tasks.stats.estimate import Estimate

Reading = Literal[
    "consistent", "not consistent", "no interval", "undefined", "not comparable", "needs a log", "needs a sheet"
]
WITHOUT: tuple[Reading, ...] = ("undefined", "needs a log", "needs a sheet")
"""The readings of numbers that the given logs say nothing about."""


@dataclass(frozen=True)
class Reproduced:
    """One published number and what a log says: NaN where there is no log, or the log has no such number.

    `differences` are what keeps the log from reproducing the number, a few words each. A number over several models
    names the newest of their logs.
    """

    paper: str
    row: PublishedRow
    measured: Estimate
    reading: Reading
    log: str
    differences: tuple[str, ...] = ()


def reproduce(
    papers: Sequence[Published],
    runs: Sequence[Run],
    names: Mapping[str, str] | None = None,
    generation: Sequence[VotedLog] = (),
) -> list[Reproduced]:
    """Return every published number with the newest log of its task and model, where there is one.

    `consistent`: the number lies in the log's 95 % interval, or the interval does not lie beyond a printed bound; for
    numbers about the rows, the log has the printed number. A log with other data, rows or settings than the published
    ones is shown, but read as `not comparable`. `names` says which published model an evaluated one stands for, where
    its id does not tell. Raises DataError for an unknown published model in `names`.
    """
    given = names or {}
    known = {model for paper in papers for model in paper.models}
    for model in given.values():
        if model not in known:
            raise DataError(f"reproduce: unknown published model '{model}'; known: {', '.join(sorted(known))}")
    released = released_fingerprints(runs)
    return [one for paper in papers for one in _Beside(paper, runs, given, released, generation).rows()]


def without_a_place(
    papers: Sequence[Published], runs: Sequence[Run], names: Mapping[str, str] | None = None
) -> list[str]:
    """Return the models, each with its task, that no paper prints a number of and that `names` does not name."""
    given = names or {}
    evaluated = {(run.task, run.model) for run in runs}
    printed = {
        (task, model)
        for task, model in evaluated
        for paper in papers
        for row in paper.rows
        if row.task == task
        and (given.get(model) or paper.model_of(model)) in (row.model, *paper.groups.get(row.model, ()))
    }
    return sorted(f"{model} ({task})" for task, model in evaluated - printed)


@dataclass(frozen=True)
class _Found:
    """What logs have in the place of a published number: the newest of them, and what differs."""

    measured: Estimate
    log: str
    created: str
    differences: tuple[str, ...]


class _Beside:
    """One paper's numbers beside the logs that are of its models."""

    def __init__(
        self,
        paper: Published,
        runs: Sequence[Run],
        given: Mapping[str, str],
        released: Mapping[str, set[str]],
        generation: Sequence[VotedLog],
    ) -> None:
        self._paper, self._released = paper, released
        self._newest: dict[tuple[str, str, int], Numbers] = {}
        for run in sorted(runs, key=lambda one: one.created):
            stands_for = given.get(run.model) or paper.model_of(run.model)
            tokens = run.header.eval.model_generate_config.reasoning_tokens or 0
            numbers = Numbers(run)
            for model in filter(None, (stands_for, DATA_SET)):
                self._newest[run.task, model, tokens] = numbers
        writers = len(paper.groups.get(ALL_WRITERS, ()))
        self._writers = {
            base: Writers(
                [log for log in generation if log.multi is multi],
                lambda model: given.get(model) or paper.model_of(model),
                writers,
            )
            for base, multi in (("nq", False), ("garage", True))
        }

    def rows(self) -> list[Reproduced]:
        """Return the paper's numbers in its order."""
        return [self._row(row) for row in self._paper.rows]

    def _row(self, row: PublishedRow) -> Reproduced:
        if row.model == PEOPLE:
            return self._without(row, "needs a sheet")
        kind, _, base = row.task.partition(" ")
        if kind == "perturb":
            found = _of_writers(row, self._writers[base])
        else:
            found = self._over(row) if row.across else self._single(row, row.model)
        if found is None:
            return self._without(row, "needs a log")
        reading = _reading(row, found.measured)
        if found.differences and reading != "undefined":
            reading = "not comparable"
        return Reproduced(self._paper.paper, row, found.measured, reading, found.log, found.differences)

    def _without(self, row: PublishedRow, reading: Reading) -> Reproduced:
        return Reproduced(self._paper.paper, row, Estimate(), reading, "")

    def _log(self, row: PublishedRow, model: str, tokens: int) -> Numbers | None:
        """Return the numbers of the newest log of a task and model with a budget of thinking tokens.

        Where a number names no budget, a log that was given one stands in for a log that was given none.
        """
        own = {budget: log for (task, name, budget), log in self._newest.items() if (task, name) == (row.task, model)}
        if tokens in own or row.tokens is not None:
            return own.get(tokens)
        return max(own.values(), key=lambda one: one.run.created, default=None)

    def _single(self, row: PublishedRow, model: str) -> _Found | None:
        numbers = self._log(row, model, row.tokens or 0)
        if numbers is None:
            return None
        run = numbers.run
        other = differences(self._paper, row, model, run, self._released)
        return _Found(numbers.number(row.metric, row.subset), run.name, run.created, other)

    def _over(self, row: PublishedRow) -> _Found | None:
        """Return a number over models, from the logs of those that have one; of two runs, only from both."""
        assert row.across is not None
        if row.across == "gain":
            asked = [(row.model_copy(update={"tokens": tokens}), row.model) for tokens in (0, row.tokens)]
        else:
            asked = [(row, model) for model in self._paper.groups[row.model]]
        every = [self._single(one, model) for one, model in asked]
        found = [one for one in every if one is not None]
        if not found or (row.across in OF_TWO and len(found) < len(asked)):
            return None
        against = [self._single(one.model_copy(update={"metric": row.against}), model) for one, model in asked]
        others = [one.measured.value for one in against if one is not None]
        missing = [f"{len(found)} of {len(asked)} models"] if len(found) < len(asked) else []
        newest = max(found, key=lambda one: one.created)
        return _Found(
            over_models(row.across, [one.measured for one in found], others),
            newest.log,
            newest.created,
            (*missing, *dict.fromkeys(why for one in found for why in one.differences)),
        )


def _of_writers(row: PublishedRow, writers: Writers) -> _Found | None:
    return _Found(writers.measure(row), writers.log, "", writers.differences) if writers.logs else None


def _reading(row: PublishedRow, found: Estimate) -> Reading:
    if math.isnan(found.value):
        return "undefined"
    if row.model == DATA_SET:
        digits = len(str(row.value).partition(".")[2])
        return "consistent" if round(found.value, digits) == row.value else "not consistent"
    if math.isnan(found.low):
        return "no interval"
    above, below = row.sign == ">" or found.low <= row.value, row.sign == "<" or row.value <= found.high
    return "consistent" if above and below else "not consistent"


@dataclass(frozen=True)
class PublishedLogs:
    """The finished runs that published numbers can be set beside, the generation runs, and what was left out."""

    runs: tuple[Run, ...]
    generation: tuple[VotedLog, ...]
    left_out: tuple[tuple[str, str], ...]


def read_published_logs(paths: Sequence[str]) -> PublishedLogs:
    """Return the finished runs in files and folders. Raises DataError if paths are given and none of them holds one."""
    if not paths:
        return PublishedLogs((), (), ())
    logs = read_logs(paths)
    generation, unread = read_votes([header for header in logs.makers if task_of(header) == "perturb"])
    unfinished = [
        (run.name, f"an unfinished run (status: {run.status})") for run in logs.runs if run.status != "success"
    ]
    left_out = (*logs.left_out, *unfinished, *unread)
    used = tuple(run for run in logs.runs if run.status == "success")
    if not used and not generation:
        why = f"; {len(left_out)} left out, the first because: {left_out[0][1]}" if left_out else ""
        raise DataError(f"{', '.join(paths)}: no finished run of {tasks_text('bluff')}{why}")
    return PublishedLogs(used, tuple(generation), left_out)
