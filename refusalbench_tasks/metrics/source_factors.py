"""What moves hedging, refusals and confidence: reliability, conflict and sufficiency of
the sources, each by itself.

Only data whose rows tell the factors of their sources have these effects
(`data=worlds`, or rows of one's own).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, get_args

import numpy as np

from refusalbench_tasks.datasets.bluff_item import (
    FACTORS,
    LEVELS,
    ConflictAbout,
    Factor,
)
from refusalbench_tasks.metrics.hedging_columns import columns, published
from refusalbench_tasks.stats.cluster import Floats, Mask
from refusalbench_tasks.stats.difference import difference_interval, shares_interval
from refusalbench_tasks.stats.estimate import Estimate, mean_estimates

if TYPE_CHECKING:
    import pandas as pd

MOVED = ("guarded_rate", "hedge_rate", "hedges", "refusal_rate", "confidence")
"""The columns that may be moved. A guarded reply refuses or hedges."""
TERMS: tuple[tuple[Factor, ...], ...] = (
    *((one,) for one in FACTORS),
    *combinations(FACTORS, 2),
)
"""The main effects and the interactions of two."""
_CONFLICT = FACTORS.index("conflict")


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


@dataclass(frozen=True)
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


def factor_effects(
    table: "pd.DataFrame",
    measures: Sequence[str] = MOVED,
    resamples: int = 1000,
    seed: int = 0,
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
    terms = product(measures, TERMS)
    return [
        Effect(f, m, _effect(design.cells[m], f, design.apart, resamples, seed))
        for m, f in terms
    ]


def conflict_effects(
    table: "pd.DataFrame",
    measures: Sequence[str] = MOVED,
    resamples: int = 1000,
    seed: int = 0,
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
    found = []
    for measure, (about, of_this) in product(measures, design.about.items()):
        own = np.where(
            of_this | ~_conflicting(of_this.shape), design.cells[measure], np.nan
        )
        effect = _effect(own, ("conflict",), design.apart, resamples, seed)
        found.append(Effect(("conflict",), measure, effect, about))
    return found


def _design(table: "pd.DataFrame", measures: Sequence[str]) -> _Design | None:
    import pandas as pd

    both = published(table)
    told = np.array(
        [
            all(row.get(name) in LEVELS[name] for name in FACTORS)
            for row in both["factors"]
        ],
        dtype=bool,
    )
    if not told.any():
        return None
    of = columns(both)
    rows = both[told]
    levels = [
        [LEVELS[name].index(row[name]) for row in rows["factors"]] for name in FACTORS
    ]
    keys = [rows["cluster"].to_numpy(str), *map(np.array, levels)]
    every = pd.MultiIndex.from_product([np.unique(keys[0]), *([(0, 1)] * len(FACTORS))])
    shape = (-1, 2, 2, 2)
    means = (
        pd.DataFrame({name: of[name][told] for name in measures})
        .groupby(keys)
        .mean()
        .reindex(every)
    )
    # a cell whose rows name two things is of neither
    about = (
        rows["conflict_about"]
        .groupby(keys)
        .agg(lambda named: "|".join(sorted(set(named) - {""})))
        .reindex(every)
    )
    things = about.to_numpy(str).reshape(shape)
    return _Design(
        {name: means[name].to_numpy(float).reshape(shape) for name in measures},
        {
            name: (things == name) & _conflicting(things.shape)
            for name in get_args(ConflictAbout)
        },
        "row" in set(table["cluster_by"]),
    )


def _conflicting(shape: tuple[int, ...]) -> Mask:
    """Return which cells have a conflict."""
    there: Mask = np.indices(shape)[1 + _CONFLICT] == 1
    return there


def _effect(
    cells: Floats, factors: tuple[Factor, ...], apart: bool, resamples: int, seed: int
) -> Estimate:
    """Return the effect of one factor or the interaction of two, from the means of
    cells; NaN without a difference.
    """
    axes = [1 + FACTORS.index(name) for name in factors]
    moved = np.moveaxis(cells, axes, range(-len(axes), 0))
    corners = moved.reshape(-1, 2 ** len(axes))
    known = ~np.isnan(corners).any(axis=1)
    corners = corners[known]
    question = np.repeat(
        np.arange(len(cells)), moved[0].size // 2 ** len(axes) if len(cells) else 0
    )[known]
    signs = (
        np.array([-1.0, 1.0]) if len(axes) == 1 else np.array([1.0, -1.0, -1.0, 1.0])
    )
    places = np.arange(len(corners)) if apart else question
    found = mean_estimates({"": corners @ signs}, places, resamples, seed)[""]
    ends = corners.mean(axis=0) if len(corners) else np.zeros(0)
    if found.low == found.high and set(ends) <= {0.0, 1.0}:
        # every resample gives the same, and the interval would claim certainty
        low, high = _certain(ends, found.units)
        return replace(found, low=low, high=high)
    return found


def _certain(means: Floats, questions: int) -> tuple[float, float]:
    """Return Newcombe's interval of a difference of means of 0 or 1, or of two such
    differences, by questions.
    """
    ends = [(float(one), float(other)) for one, other in means.reshape(-1, 2)]
    gaps = [
        (other - one, *shares_interval(one, questions, other, questions))
        for one, other in ends
    ]
    return gaps[0][1:] if len(gaps) == 1 else difference_interval(gaps[1], gaps[0])
