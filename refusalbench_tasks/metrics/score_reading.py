"""Scores are read into rows once for all the metrics of a log."""

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, Generic, TypeVar

from inspect_ai.scorer import SampleScore

Row = TypeVar("Row")


class ReadOnce(Generic[Row]):
    """A reader of scores that remembers the rows of its last call, which the next metric of the log asks for again.

    Inspect calls every metric with the same scores, one after the other, and while a run goes on with more of them each
    time. The rows are given again only for the very same scores with the very same values, in the same order.
    """

    def __init__(self, read: Callable[[Sequence[SampleScore]], Sequence[Row]]) -> None:
        self._read = read
        self._last: tuple[list[Any], tuple[Row, ...]] = ([], tuple(read([])))

    def __call__(self, scores: Sequence[SampleScore]) -> tuple[Row, ...]:
        """Return the rows of the scores."""
        # the objects are kept with the rows, so that none of their places is taken by another
        parts = [part for sample in scores for part in (sample, sample.score, sample.score.value)]
        known, rows = self._last
        if len(parts) != len(known) or not all(map(is_, parts, known)):
            rows = tuple(self._read(scores))
            self._last = parts, rows
        return rows
