"""Inspect's scores as rows, read once for all the metrics of a log."""

from collections.abc import Callable, Mapping, Sequence
from operator import is_
from typing import Any, Generic, Self, TypeVar, cast

from inspect_ai.scorer import SampleScore, Score
from pydantic import PrivateAttr

from refusalbench_tasks.metrics.hedging_row import hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.scored_row import Scored

Rows = TypeVar("Rows")


class StandIn(Score):
    """A score that stands for all the rows of a log, which were read before: metrics are given it alone."""

    _rows: Any = PrivateAttr(default=None)

    @classmethod
    def of(cls, rows: Any) -> Self:
        """Return the score that stands for rows."""
        score = cls(value={})
        score._rows = rows
        return score


class ReadOnce(Generic[Rows]):
    """A reader of scores that remembers the rows of its last call, which the next metric of the log asks for again.

    Inspect calls every metric with the same scores, one after the other, and while a run goes on with more of them each
    time. The rows are given again only for the very same scores with the very same values, in the same order. What
    reads them must not give rows that can be changed.
    """

    def __init__(self, read: Callable[[Sequence[SampleScore]], Rows]) -> None:
        self._read = read
        self._last: tuple[list[Any], Rows] = ([], read([]))

    def __call__(self, scores: Sequence[SampleScore]) -> Rows:
        """Return the rows of the scores."""
        if len(scores) == 1 and isinstance(score := scores[0].score, StandIn):
            return cast(Rows, score._rows)
        # the objects are kept with the rows, so that none of their places is taken by another
        parts = [part for sample in scores for part in (sample, sample.score, sample.score.value)]
        known, rows = self._last
        if len(parts) != len(known) or not all(map(is_, parts, known)):
            rows = self._read(scores)
            self._last = parts, rows
        return rows


@ReadOnce
def hedging_rows(scores: Sequence[SampleScore]) -> HedgingRows:
    """Return the rows of `hedging_scores`."""
    return HedgingRows(hedging_row(sample.sample_metadata or {}, plain(sample.score)) for sample in scores)


def plain(score: Score) -> Scored:
    """Return a score of ours without Inspect."""
    return Scored(cast(Mapping[str, float], score.value), score.answer, score.reason, score.metadata or {})
