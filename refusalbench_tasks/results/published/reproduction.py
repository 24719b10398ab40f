"""Published numbers beside those of a user's logs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.log import EvalLog

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.generation_logs import GenerationRun
from refusalbench_tasks.results.published.across import OF_TWO, over_models
from refusalbench_tasks.results.published.comparability import differences, released_fingerprints, task_of
from refusalbench_tasks.results.published.measured import Measured, measure, newest_score, values_of
from refusalbench_tasks.results.published.papers import DATA_SET, PEOPLE, Published, PublishedRow
from refusalbench_tasks.results.published.writers import ALL as ALL_WRITERS
from refusalbench_tasks.results.published.writers import Writers, base_of

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
    measured: float
    low: float
    high: float
    n: float
    reading: Reading
    log: str
    differences: tuple[str, ...] = ()


def reproduce(
    papers: Sequence[Published],
    headers: Sequence[EvalLog],
    names: Mapping[str, str] | None = None,
    generation: Sequence[GenerationRun] = (),
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
    released = released_fingerprints(headers)
    return [one for paper in papers for one in _Beside(paper, headers, given, released, generation).rows()]


def without_a_place(
    papers: Sequence[Published], headers: Sequence[EvalLog], names: Mapping[str, str] | None = None
) -> list[str]:
    """Return the models, each with its task, that no paper prints a number of and that `names` does not name."""
    given = names or {}
    runs = {(task_of(header), header.eval.model) for header in headers}
    printed = {
        (task, model)
        for task, model in runs
        for paper in papers
        for row in paper.rows
        if row.task == task
        and (given.get(model) or paper.model_of(model)) in (row.model, *paper.groups.get(row.model, ()))
    }
    return sorted(f"{model} ({task})" for task, model in runs - printed)


@dataclass(frozen=True)
class _Found:
    """What logs have in the place of a published number: the newest of them, and what differs."""

    measured: Measured
    log: str
    created: str
    differences: tuple[str, ...]


class _Beside:
    """One paper's numbers beside the logs that are of its models."""

    def __init__(
        self,
        paper: Published,
        headers: Sequence[EvalLog],
        given: Mapping[str, str],
        released: Mapping[str, set[str]],
        generation: Sequence[GenerationRun],
    ) -> None:
        self._paper, self._released = paper, released
        self._newest: dict[tuple[str, str, int], EvalLog] = {}
        for header in sorted(headers, key=lambda one: one.eval.created):
            stands_for = given.get(header.eval.model) or paper.model_of(header.eval.model)
            tokens = header.eval.model_generate_config.reasoning_tokens or 0
            for model in filter(None, (stands_for, DATA_SET)):
                self._newest[task_of(header), model, tokens] = header
        writers = len(paper.groups.get(ALL_WRITERS, ()))
        self._writers = {
            base: Writers(
                [run for run in generation if base_of(run) == base],
                lambda model: given.get(model) or paper.model_of(model),
                writers,
            )
            for base in ("nq", "garage")
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
        one = found.measured
        return Reproduced(
            self._paper.paper, row, one.value, one.low, one.high, one.n, reading, found.log, found.differences
        )

    def _without(self, row: PublishedRow, reading: Reading) -> Reproduced:
        nan = math.nan
        return Reproduced(self._paper.paper, row, nan, nan, nan, nan, reading, "")

    def _log(self, row: PublishedRow, model: str, tokens: int) -> EvalLog | None:
        """Return the newest log of a task and model with a budget of thinking tokens.

        Where a number names no budget, a log that was given one stands in for a log that was given none.
        """
        own = {budget: log for (task, name, budget), log in self._newest.items() if (task, name) == (row.task, model)}
        if tokens in own or row.tokens is not None:
            return own.get(tokens)
        return max(own.values(), key=lambda log: log.eval.created, default=None)

    def _single(self, row: PublishedRow, model: str) -> _Found | None:
        header = self._log(row, model, row.tokens or 0)
        score = newest_score(header, self._paper.scorers) if header is not None else None
        if header is None or score is None:
            return None
        other = differences(self._paper, row, model, header, score, self._released)
        measured = measure(row, header, values_of(header, self._paper.scorers))
        return _Found(measured, str(header.location), header.eval.created, other)

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
        values, others = ([one.measured.value for one in own if one is not None] for own in (every, against))
        missing = [f"{len(found)} of {len(asked)} models"] if len(found) < len(asked) else []
        newest = max(found, key=lambda one: one.created)
        return _Found(
            Measured(over_models(row.across, values, others)),
            newest.log,
            newest.created,
            (*missing, *dict.fromkeys(why for one in found for why in one.differences)),
        )


def _of_writers(row: PublishedRow, writers: Writers) -> _Found | None:
    return _Found(writers.measure(row), writers.log, "", writers.differences) if writers.runs else None


def _reading(row: PublishedRow, found: Measured) -> Reading:
    if math.isnan(found.value):
        return "undefined"
    if row.model == DATA_SET:
        digits = len(str(row.value).partition(".")[2])
        return "consistent" if round(found.value, digits) == row.value else "not consistent"
    if math.isnan(found.low):
        return "no interval"
    above, below = row.sign == ">" or found.low <= row.value, row.sign == "<" or row.value <= found.high
    return "consistent" if above and below else "not consistent"
