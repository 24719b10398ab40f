"""What moves hedging, refusals and confidence: reliability, conflict and sufficiency of the sources, each by itself.

Only data whose rows tell the factors of their sources have these effects (`data=worlds`, or rows of one's own).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from refusalbench_tasks.datasets.factorial import FACTORS, LEVELS, Factor
from refusalbench_tasks.metrics.hedging_arms import MEANS
from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.cluster import Floats, bootstrap, cluster_sums
from refusalbench_tasks.stats.difference import difference_interval, shares_interval

NAN = float("nan")
Levels = tuple[bool, ...]
"""For each of FACTORS whether its level gives cause for doubt."""
Cell = tuple[str, Levels]
"""A question and the levels of its sources."""
_Means = Mapping[Cell, float]
"""The mean of a measure in each cell of a question."""


@dataclass(frozen=True)
class Effect:
    """By how much a measure is higher where a factor gives cause for doubt; of two factors, their interaction.

    `n` counts the differences that `value` is the mean of, each within one question; `questions` those that have one.
    """

    factors: tuple[Factor, ...]
    measure: str
    value: float
    low: float
    high: float
    n: int
    questions: int

    @property
    def name(self) -> str:
        """Return the factors, joined by `x`."""
        return " x ".join(self.factors)


def _guarded(rows: HedgingRows) -> Floats:
    refused, hedged = MEANS["refusal_rate"](rows), MEANS["hedge_rate"](rows)
    guarded: Floats = np.where(refused == 1, 1.0, hedged)
    return guarded


MEASURES: Mapping[str, Callable[[HedgingRows], Floats]] = {
    "guarded_rate": _guarded,
    "hedge_rate": MEANS["hedge_rate"],
    "hedges": lambda rows: rows.column("hedges"),
    "refusal_rate": MEANS["refusal_rate"],
    "confidence_mean": MEANS["confidence_mean"],
}
"""What may be moved, as a value per reply, NaN where it has none. A guarded reply refuses or hedges."""
IN_LOG = ("hedges", "refusal_rate", "confidence_mean")
"""The measures whose main effects are in the log."""
TERMS: tuple[tuple[Factor, ...], ...] = (*((one,) for one in FACTORS), *combinations(FACTORS, 2))
"""The main effects and the interactions of two."""


def levels_of(row: HedgingRow) -> Levels | None:
    """Return the levels of a row's three factors; None where one of them is not told."""
    if any(row.factors.get(name) not in LEVELS[name] for name in FACTORS):
        return None
    return tuple(row.factors[name] == LEVELS[name][1] for name in FACTORS)


def factor_effects(
    rows: HedgingRows, measures: Sequence[str] = tuple(MEASURES), resamples: int = 1000, seed: int = 0
) -> list[Effect]:
    """Return the main effects and the interactions of two factors on each measure, with 95 % intervals by question.

    A main effect is the mean of differences doubtful - sound between two cells of a question that differ in this factor
    alone. An interaction is the mean of differences of such differences: by how much more the first factor moves the
    measure where the second gives cause for doubt. A cell is the mean of its replies that have a value; a difference
    with a cell without any is left out. The interval resamples questions, or with `cluster=row` differences. NaN
    without a difference. Ours.
    """
    found = []
    for measure in measures:
        means = cell_means(rows, MEASURES[measure](rows))
        found += [effect_of(means, factors, measure, rows.cluster == "row", resamples, seed) for factors in TERMS]
    return found


def effect_values(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return the main effects as `FACTOR_on_MEASURE` with bounds and n, for a log; nothing if no row has factors."""
    if not any(row.factors for row in rows):
        return {}
    result: dict[str, float] = {}
    for one in factor_effects(rows, IN_LOG, resamples, seed):
        if len(one.factors) == 1:
            name = f"{one.factors[0]}_on_{one.measure}"
            result |= {name: one.value, f"{name}_ci_low": one.low, f"{name}_ci_high": one.high, f"{name}_n": one.n}
    return result


def cell_means(rows: HedgingRows, values: Floats) -> _Means:
    """Return the mean of a measure's values in each cell that has one; rows that don't tell their factors are in none.

    `values` has one for each row, NaN where it is unknown.
    """
    cells: dict[Cell, list[float]] = {}
    for row, question, value in zip(rows, rows.questions, values, strict=True):
        levels = levels_of(row)
        if levels is not None and not np.isnan(value):
            cells.setdefault((question, levels), []).append(float(value))
    return {cell: float(np.mean(found)) for cell, found in cells.items()}


def _corners(means: _Means, factors: Sequence[Factor], apart: bool) -> tuple[Floats, list[str]]:
    """Return the cell means that each difference is made of, and what it is resampled with.

    Shape (n, 2) for a main effect, sound and doubtful; (n, 4) for an interaction, of which the second factor is the
    faster: (0, 0), (0, 1), (1, 0), (1, 1).
    """
    found, units = [], []
    for question in sorted({question for question, _ in means}):
        for cells in _sets(factors):
            known = [means.get((question, cell), NAN) for cell in cells]
            if not np.isnan(known).any():
                found.append(known)
                units.append(f"{question}#{len(found):09d}" if apart else question)
    return np.array(found, dtype=float).reshape(-1, 2 ** len(factors)), units


def _sets(factors: Sequence[Factor]) -> Iterator[list[Levels]]:
    """Yield the cells that differ in the given factors alone, once for each way that the others can stand."""
    others = [name for name in FACTORS if name not in factors]
    for fixed in product((False, True), repeat=len(others)):
        yield [
            tuple(dict(zip((*others, *factors), (*fixed, *moved), strict=True))[name] for name in FACTORS)
            for moved in product((False, True), repeat=len(factors))
        ]


def effect_of(
    means: _Means, factors: tuple[Factor, ...], measure: str, apart: bool, resamples: int, seed: int
) -> Effect:
    """Return the effect of one factor or the interaction of two, from the means of cells.

    Differences are resampled by question, or each for itself if they are `apart`. NaN without a difference.
    """
    corners, units = _corners(means, factors, apart)
    if not len(corners):
        return Effect(factors, measure, NAN, NAN, NAN, 0, 0)
    signs = np.array([-1.0, 1.0]) if len(factors) == 1 else np.array([1.0, -1.0, -1.0, 1.0])
    sums = cluster_sums(np.column_stack([corners @ signs, np.ones(len(corners))]), units)
    interval = bootstrap(sums, _mean, resamples, seed)
    low, high, questions = float(interval.low[0]), float(interval.high[0]), len(sums)
    ends = corners.mean(axis=0)
    if low == high and set(ends) <= {0.0, 1.0}:
        # every resample gives the same, and the interval would claim certainty
        low, high = _certain(ends, questions)
    return Effect(factors, measure, float((corners @ signs).mean()), low, high, len(corners), questions)


def _mean(totals: Floats) -> Floats:
    top, n = totals[..., :1], totals[..., 1:]
    result: Floats = np.where(n > 0, top / np.where(n > 0, n, 1.0), np.nan)
    return result


def _certain(means: Floats, questions: int) -> tuple[float, float]:
    """Return Newcombe's interval of a difference of means of 0 or 1, or of two such differences, by questions."""
    pairs = [shares_interval(float(one), questions, float(other), questions) for one, other in means.reshape(-1, 2)]
    if len(pairs) == 1:
        return pairs[0]
    first, second = ((float(other - one), *pairs[k]) for k, (one, other) in enumerate(means.reshape(-1, 2)))
    return difference_interval(second, first)
