"""Whether the replies of `nq` and `garage` are as sure as they should be."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from refusalbench_tasks.metrics.calibration import Bin, reliability
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.uncertainty import uncertainty
from refusalbench_tasks.taxonomy import Label

PARTS: Mapping[str, Callable[[RefusalRow], bool]] = {
    "ece": lambda row: True,
    "ece_answers": lambda row: row.outcome.predicted is Label.ANSWER,
    "ece_refusals": lambda row: row.outcome.predicted is not Label.ANSWER,
    "ece_answerable": lambda row: row.outcome.expected is Label.ANSWER,
    "ece_unanswerable": lambda row: row.outcome.expected is not Label.ANSWER,
}
"""The replies that each calibration error is of: all, by what the reply is (paper F.2), by what the row is (script)."""
_MIDPOINTS = np.array([MIDPOINTS[level] for level in LEVELS])
_WIDTH = 2 * len(PARTS) * len(LEVELS)
NAMES = (*PARTS, "brier", *(f"{level}/{what}" for what in ("share", "accuracy") for level in LEVELS))
"""The order of `calibration_statistics`."""
_ERRORS = (*PARTS, "brier")


def calibration(
    every: RefusalRows, resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None
) -> dict[str, float]:
    """Return ECE over five bins, Brier, and the reliability table, each with n, standard errors and interval.

    ECE comes overall, by what the reply is and by what the row is (`PARTS`). Only where a confidence was asked for. A
    row counts if its correctness is known and its level could be read; `confidence_unparsed` counts the decided rows
    whose level could not.
    """
    rows = every.perturbed
    rows = rows.where(rows.mask(lambda row: row.confidence_asked))
    if not rows:
        return {}
    stated = with_confidence(rows)
    cells = calibration_cells(stated.kinds)
    values = calibration_statistics(stated.total(cells))
    ns = {name: float(stated.number(inside)) for name, inside in PARTS.items()} | {"brier": float(len(stated))}
    given = stated.counted(lambda row: row.level)
    levels = {f"{level}/n": float(given[level]) for level in LEVELS}
    units = stated.units_to_draw(cluster)
    return {
        "confidence_n": len(stated),
        "confidence_unparsed": int(rows.right_is_known.sum()) - len(stated),
        **dict(zip(NAMES, map(float, values), strict=True)),
        **{f"{name}_n": n for name, n in ns.items()},
        **levels,
        **uncertainty(
            NAMES, units.sums(cells), calibration_statistics, resamples, seed, unbounded=_ERRORS, numbers=units.numbers
        ),
    }


def calibration_cells(rows: Sequence[RefusalRow]) -> Floats:
    """Return what the calibration metrics are sums of, one vector per row with a confidence.

    For each part and level whether the row is in it, and whether it is in it and right. These are counts, so that the
    order of the rows changes no digit.
    """
    right = np.array(stated_confidence(rows)[1], dtype=float)
    inside = np.array([[part(row) for part in PARTS.values()] for row in rows], dtype=float)
    level = np.array([[row.level == one for one in LEVELS] for row in rows], dtype=float)
    n = inside.reshape(len(rows), len(PARTS), 1) * level.reshape(len(rows), 1, len(LEVELS))
    cells: Floats = np.stack([n, n * right[:, None, None]], axis=-1).reshape(len(rows), _WIDTH)
    return cells


def calibration_statistics(totals: Floats) -> Floats:
    """Return the metrics of sums of `calibration_cells` in the order of `NAMES`; NaN without rows.

    The error of a part is the sum over levels of |right replies - midpoint x replies| / its replies.
    """
    table = totals.reshape(*totals.shape[:-1], len(PARTS), len(LEVELS), 2)
    n, right = table[..., 0], table[..., 1]
    rows, all_n, all_right = n[..., 0, :].sum(axis=-1), n[..., 0, :], right[..., 0, :]
    squared = (all_right * (1 - _MIDPOINTS) ** 2 + (all_n - all_right) * _MIDPOINTS**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.abs(right - _MIDPOINTS * n).sum(axis=-1) / n.sum(axis=-1)
        shares = all_n / rows[..., None]
        accuracies = all_right / all_n
        found: Floats = np.concatenate([errors, (squared / rows)[..., None], shares, accuracies], axis=-1)
    return found


def with_confidence(rows: RefusalRows) -> RefusalRows:
    """Return the rows whose reply is known to be right or wrong and states a confidence level."""
    return rows.where(rows.mask(lambda row: row.outcome.right is not None and row.level))


def reliability_bins(rows: Iterable[RefusalRow]) -> list[Bin]:
    """Return the five bins of rows with a confidence, most confident first."""
    return reliability(*stated_confidence(rows), [MIDPOINTS[level] for level in LEVELS])


def stated_confidence(rows: Iterable[RefusalRow]) -> tuple[list[float], list[float]]:
    """Return the confidence of rows that state one, and 1 where the reply is right, else 0."""
    if isinstance(rows, RefusalRows):
        return rows.each(_confidence, float).tolist(), rows.each(_right, float).tolist()
    pairs = [(_confidence(row), _right(row)) for row in rows]
    return [confidence for confidence, _ in pairs], [right for _, right in pairs]


def _confidence(row: RefusalRow) -> float:
    return math.nan if row.level is None else MIDPOINTS[row.level]


def _right(row: RefusalRow) -> float:
    return float(row.outcome.right is True)
