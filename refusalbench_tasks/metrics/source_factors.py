"""What moves hedging, refusals and confidence: reliability, conflict and sufficiency of
the sources, each by itself.

Only data whose rows tell the factors of their sources have these effects
(`data=worlds`, or rows of one's own).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, get_args

import numpy as np
import pandas as pd

from refusalbench_tasks.datasets.bluff_item import (
    FACTORS,
    LEVELS,
    ConflictAbout,
    Factor,
)
from refusalbench_tasks.stats.cluster import Floats, Mask
from refusalbench_tasks.stats.difference import difference_interval, shares_interval
from refusalbench_tasks.stats.estimate import Estimate, mean_estimates

from .hedging_columns import hedging_columns, published

MOVED = ("guarded_rate", "hedge_rate", "hedges", "refusal_rate", "confidence")
"""The columns that may be moved. A guarded reply refuses or hedges."""
TERMS = (
    *((factor,) for factor in FACTORS),
    *combinations(FACTORS, 2),
)
"""The main effects and the interactions of two."""
_CONFLICT = FACTORS.index("conflict")


_SIGNS = {1: np.array([-1.0, 1.0]), 2: np.array([1.0, -1.0, -1.0, 1.0])}
"""What the mean of each cell counts in an effect of so many factors."""


@dataclass(frozen=True)
class Effect:
    """By how much a measure is higher where a factor gives cause for doubt; of two
    factors, their interaction.

    The n of `found` counts differences, each within one question.
    """

    factors: tuple[Factor, ...]
    measure: str
    found: Estimate
    about: str = ""
    """What the conflict is about, where only such differences are meant."""

    @property
    def name(self) -> str:
        """Return the factors, joined by `x`."""
        return " x ".join(self.factors)


@dataclass
class _Design:
    """The mean of each measure in each cell of each question, shape (questions, 2, 2,
    2), NaN where it has none.
    """

    cells: dict[str, Floats]
    about: dict[str, Mask]
    """Which cells of a conflict have rows that all say that it is about this, by what
    it is about.
    """
    apart: bool
    """Whether differences are resampled each for itself, and not by question."""

    def effect(
        self,
        cells: Floats,
        factors: tuple[Factor, ...],
        resamples: int,
    ) -> Estimate:
        """Return the effect of one factor or the interaction of two, from the means of
        cells; NaN without a difference.
        """
        axes = [1 + FACTORS.index(name) for name in factors]
        n = len(axes)
        corners = np.moveaxis(
            cells,
            axes,
            range(-n, 0),
        )
        questions = np.indices(corners.shape[:-n])[0].ravel()
        corners = corners.reshape(-1, 2**n)
        known = ~np.isnan(corners).any(axis=1)
        corners = corners[known]
        places = np.arange(len(corners)) if self.apart else questions[known]
        gaps = corners @ _SIGNS[n]
        estimate = mean_estimates({"": gaps}, places, resamples)[""]
        if estimate.low != estimate.high:
            return estimate
        means = corners.mean(axis=0)
        if not set(means) <= {0.0, 1.0}:
            return estimate
        # every resample gives the same, and the interval would claim certainty
        low, high = _interval_of_extremes(means, estimate.units)
        return replace(estimate, low=low, high=high)


def _interval_of_extremes(means: Floats, questions: int) -> tuple[float, float]:
    """Return Newcombe's interval of a difference of means of 0 or 1, or of two such
    differences, by questions.
    """
    gaps = []
    for first, second in means.reshape(-1, 2).tolist():
        interval = shares_interval(
            first,
            questions,
            second,
            questions,
        )
        gaps.append((second - first, *interval))
    if len(gaps) == 1:
        return gaps[0][1:]
    return difference_interval(gaps[1], gaps[0])


def factor_effects(
    table: "pd.DataFrame",
    measures: Sequence[str] = MOVED,
    resamples: int = 1000,
) -> list[Effect]:
    """Return the main effects and the interactions of two factors on each measure, as
    docs/metrics.md defines them.

    A cell is the mean of its replies that have a value; a difference with a cell
    without any is left out. The interval resamples questions, or with `cluster=row`
    differences. Nothing if no row tells its factors.
    """
    design = _design(table, measures)
    if design is None:
        return []
    effects = []
    for measure, factors in product(measures, TERMS):
        estimate = design.effect(
            design.cells[measure],
            factors,
            resamples,
        )
        effects.append(Effect(factors, measure, estimate))
    return effects


def conflict_effects(
    table: "pd.DataFrame",
    measures: Sequence[str] = MOVED,
    resamples: int = 1000,
) -> list[Effect]:
    """Return the main effect of `conflict` on each measure for each thing that a
    conflict may be about.

    As in `factor_effects`, but over those differences alone whose set with a conflict
    is about this thing; NaN with n 0 where there is none. A cell whose rows name two
    things is in none. Nothing if no row tells what its sources disagree about.
    """
    design = _design(table, measures)
    if design is None or not any(cells.any() for cells in design.about.values()):
        return []
    effects = []
    for measure, (about, of_this) in product(measures, design.about.items()):
        used = of_this | ~_conflicting(of_this.shape)
        cells = np.where(used, design.cells[measure], np.nan)
        estimate = design.effect(cells, ("conflict",), resamples)
        effects.append(
            Effect(
                ("conflict",),
                measure,
                estimate,
                about,
            )
        )
    return effects


def _design(table: "pd.DataFrame", measures: Sequence[str]) -> _Design | None:

    both = published(table)
    levels = both["factors"].map(_levels)
    stated = levels.notna().to_numpy()
    if not stated.any():
        return None
    rows = both[stated]
    values = hedging_columns(both)
    keys = [rows["cluster"].to_numpy(str), *np.array([*levels[stated]]).T]
    both_levels = [(0, 1)] * len(FACTORS)
    every = pd.MultiIndex.from_product([np.unique(keys[0]), *both_levels])

    def cells_of(by_cell: "pd.Series[Any]") -> Any:
        return (
            by_cell.reindex(every)
            .to_numpy()
            .reshape(
                -1,
                2,
                2,
                2,
            )
        )

    means = pd.DataFrame({name: values[name][stated] for name in measures})
    means = means.groupby(keys).mean()
    about = cells_of(rows["conflict_about"].groupby(keys).agg(_named_things))
    conflicting = _conflicting(about.shape)
    cells = {name: cells_of(means[name]) for name in measures}
    of_this = {name: (about == name) & conflicting for name in get_args(ConflictAbout)}
    return _Design(
        cells,
        of_this,
        "row" in set(table["cluster_by"]),
    )


def _levels(factors: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the level of each factor; None where a row does not tell all."""
    if any(factors.get(name) not in LEVELS[name] for name in FACTORS):
        return None
    return tuple(LEVELS[name].index(factors[name]) for name in FACTORS)


def _named_things(named: "pd.Series[str]") -> str:
    """Return what the rows of a cell name; two things together are neither."""
    return "|".join(sorted(set(named) - {""}))


def _conflicting(shape: tuple[int, ...]) -> Mask:
    """Return which cells have a conflict."""
    there: Mask = np.indices(shape)[1 + _CONFLICT] == 1
    return there
