"""Whether replies are as sure as they should be: bins of confidence, and calibration of
the five stated levels.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refusalbench_tasks.metrics.frame import cluster_index
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.stats.cluster import Floats, cluster_sums
from refusalbench_tasks.stats.estimate import Estimate, estimates
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

PARTS = ("ece", "ece_answers", "ece_refusals", "ece_answerable", "ece_unanswerable")
"""Of all replies, by what the reply is (paper F.2), by what the row is (released
script).
"""
ERRORS = (*PARTS, "brier")
NAMES = (
    *ERRORS,
    *(f"{level}/{what}" for what in ("share", "accuracy") for level in LEVELS),
)
_MIDPOINTS = np.array([MIDPOINTS[level] for level in LEVELS])


@dataclass(frozen=True)
class Bin:
    """One bin of a reliability diagram: n replies stated `confidence`; the share
    `accuracy` of them was right.

    `accuracy` is NaN where n is 0.
    """

    confidence: float
    n: int
    accuracy: float


def equal_width(
    confidence: ArrayLike, correct: ArrayLike, bins: int = 10, closed: bool = True
) -> list[Bin]:
    """Return bins of equal width over [0, 1], for confidence that can take any value;
    empty bins included.

    A bin's `confidence` is the mean of its replies, NaN where n is 0; `correct` may be
    a grade in [0, 1]. Raises ValueError for a confidence outside [0, 1], NaN included.
    """
    stated = np.asarray(confidence, dtype=float)
    right = np.asarray(correct, dtype=float)
    if not ((stated >= 0) & (stated <= 1)).all():
        raise ValueError("every confidence must lie in [0, 1]")
    index = bin_index(stated, bins, closed)
    found = []
    for i in range(bins):
        inside = index == i
        n = int(inside.sum())
        means = (
            (float(stated[inside].mean()), float(right[inside].mean()))
            if n
            else (float("nan"), float("nan"))
        )
        found.append(Bin(means[0], n, means[1]))
    return found


def bin_index(
    confidence: ArrayLike, bins: int = 10, closed: bool = True
) -> NDArray[np.intp]:
    """Return the bin of each confidence in [0, 1], from 0; `bins` for one in none.

    A confidence of exactly 1 is in the last bin. `closed=False` is BLUFF's released
    code: there it is in none, and the edges are numpy's, so that 0.3, 0.6 and 0.7,
    which lie a rounding error below theirs, fall one bin lower.
    """
    stated = np.asarray(confidence, dtype=float)
    index: NDArray[np.intp] = np.minimum(
        np.floor(stated * bins).astype(np.intp), bins - 1
    )
    return (
        index
        if closed
        else np.searchsorted(np.linspace(0, 1, bins + 1), stated, side="right") - 1
    )


def with_confidence(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return the main rows with a decided reply that is known to be right or wrong, and
    states a confidence level.
    """
    rows = main_rows(table)
    stated = rows["confidence_asked"] & (rows["level"] != "")
    return rows[stated & (rows["outcome"] == "decided") & rows["right"].notna()]


def calibration(
    table: "pd.DataFrame", resamples: int = 1000, seed: int = 0
) -> dict[str, Estimate]:
    """Return ECE over five bins, Brier, and share and accuracy of each level; nothing
    where no confidence was asked.

    The error of a part is the sum over levels of |right replies - midpoint x replies| /
    its replies.
    """
    if not main_rows(table)["confidence_asked"].any():
        return {}
    stated = with_confidence(table)
    sums = cluster_sums(_cells(stated), cluster_index(stated))
    return estimates(
        NAMES, sums, _statistics, _sizes, resamples, seed, unbounded=ERRORS
    )


def level_bins(table: "pd.DataFrame") -> list[Bin]:
    """Return the five bins of the replies with a confidence, most confident first."""
    right = with_confidence(table).groupby("level")["right"]
    n = right.size()
    accuracy = right.mean()
    return [
        Bin(MIDPOINTS[one], int(n.get(one, 0)), float(accuracy.get(one, np.nan)))
        for one in LEVELS
    ]


def _cells(rows: "pd.DataFrame") -> Floats:
    """Return what the statistics are functions of sums of: shape (n, parts x levels x
    2).

    For each part and level whether the reply is in it, and whether it is in it and
    right. These are counts, so that the order of the rows changes no digit.
    """
    answered = rows["predicted"] == Label.ANSWER.value
    answerable = rows["expected"] == Label.ANSWER.value
    inside = np.column_stack(
        [np.ones(len(rows), dtype=bool), answered, ~answered, answerable, ~answerable]
    )
    level = rows["level"].to_numpy()[:, None] == np.array(
        [one.value for one in LEVELS], dtype=object
    )
    n = (inside[:, :, None] & level[:, None, :]).astype(np.float64)
    right = rows["right"].to_numpy()[:, None, None]
    return np.stack([n, n * right], axis=-1).reshape(
        len(rows), 2 * len(PARTS) * len(LEVELS)
    )


def _table(sums: Floats) -> tuple[Floats, Floats]:
    """Return the replies and the right ones of each part and level, shape (..., parts,
    levels).
    """
    table = sums.reshape(*sums.shape[:-1], len(PARTS), len(LEVELS), 2)
    return table[..., 0], table[..., 1]


def _statistics(sums: Floats) -> Floats:
    n, right = _table(sums)
    all_n = n[..., 0, :]
    all_right = right[..., 0, :]
    squared = (
        all_right * (1 - _MIDPOINTS) ** 2 + (all_n - all_right) * _MIDPOINTS**2
    ).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.abs(right - _MIDPOINTS * n).sum(axis=-1) / n.sum(axis=-1)
        rows = all_n.sum(axis=-1)[..., None]
        found: Floats = np.concatenate(
            [errors, squared[..., None] / rows, all_n / rows, all_right / all_n],
            axis=-1,
        )
    return found


def _sizes(sums: Floats) -> Floats:
    """Return the n of each statistic; of a share of a level it is all replies."""
    n, _ = _table(sums)
    parts = n.sum(axis=-1)
    levels = n[..., 0, :]
    every = np.repeat(parts[..., :1], len(LEVELS), axis=-1)
    return np.concatenate([parts, parts[..., :1], every, levels], axis=-1)
