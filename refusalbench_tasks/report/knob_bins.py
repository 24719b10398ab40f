"""Rows sorted into a few groups by how hard they are in one respect."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

MOST_BINS = 4
MOST_WORDS = 12

Knobs = Mapping[str, float | str]


@dataclass(frozen=True)
class Bins:
    """The groups of one knob, in their order, each with a name that tells what is in it.

    Numbers have the first value of each group in `starts`, words have theirs in `names`.
    """

    names: tuple[str, ...]
    starts: tuple[float, ...] = ()

    def place(self, value: float | str | None) -> int:
        """Return the position of a row's group; -1 if the row has no value, or one of the other kind."""
        if isinstance(value, str):
            return self.names.index(value) if not self.starts and value in self.names else -1
        if value is None or not math.isfinite(value) or not self.starts:
            return -1
        return int(np.searchsorted(self.starts, value, side="right")) - 1


def knob_bins(rows: Sequence[Knobs]) -> dict[str, Bins]:
    """Return the groups of each knob that differs between rows.

    Numbers are cut at their quartiles, and equal numbers stay together: a group is named by the least and the largest
    number in it. Up to four different numbers are a group each. Words are a group each, in alphabetical order. A knob
    with more than twelve words, or with both words and numbers, has no groups and is left out.
    """
    found = {}
    for name in sorted({name for row in rows for name in row}):
        values = [row[name] for row in rows if name in row]
        numbers = [float(one) for one in values if not isinstance(one, str) and math.isfinite(one)]
        words = {one for one in values if isinstance(one, str)}
        bins = _of_words(words) if words else _of_numbers(numbers)
        if not (words and numbers) and 1 < len(bins.names) <= MOST_WORDS:
            found[name] = bins
    return found


def _of_words(words: set[str]) -> Bins:
    return Bins(tuple(sorted(words)))


def _of_numbers(numbers: Sequence[float]) -> Bins:
    different = sorted(set(numbers))
    if len(different) > MOST_BINS:
        cuts = np.quantile(numbers, np.arange(MOST_BINS) / MOST_BINS, method="inverted_cdf")
        starts = sorted(set(cuts.tolist()))
    else:
        starts = different
    groups = [
        [x for x in different if low <= x and (k + 1 == len(starts) or x < starts[k + 1])]
        for k, low in enumerate(starts)
    ]
    names = tuple(f"{g[0]:.3g}" if len(g) == 1 else f"{g[0]:.3g} to {g[-1]:.3g}" for g in groups)
    return Bins(names, tuple(starts))
