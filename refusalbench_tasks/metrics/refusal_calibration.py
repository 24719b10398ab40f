"""Whether the replies of `nq` and `garage` are as sure as they should be."""

import math
from collections.abc import Sequence

from refusalbench_tasks.metrics.calibration import Bin, brier_score, expected_calibration_error, reliability
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.taxonomy import Label


def calibration(every: RefusalRows) -> dict[str, float]:
    """Return ECE over five bins (overall, answerable, unanswerable rows), Brier, and the reliability table.

    Only where a confidence was asked for. A row counts if its correctness is known and its level could be read;
    `confidence_unparsed` counts the decided rows whose level could not.
    """
    rows = [row for row in every.perturbed if row.confidence_asked]
    if not rows:
        return {}
    known = [row for row in rows if row.outcome.right is not None]
    stated = with_confidence(rows)
    result: dict[str, float] = {
        "confidence_n": len(stated),
        "confidence_unparsed": len(known) - len(stated),
        "ece": _ece(stated),
        "ece_answers": _ece([row for row in stated if row.outcome.expected is Label.ANSWER]),
        "ece_refusals": _ece([row for row in stated if row.outcome.expected is not Label.ANSWER]),
        "brier": brier_score(*stated_confidence(stated)),
    }
    for level, level_bin in zip(LEVELS, reliability_bins(stated), strict=True):
        result[f"{level}/share"] = level_bin.n / len(stated) if stated else math.nan
        result[f"{level}/accuracy"] = level_bin.accuracy
        result[f"{level}/n"] = level_bin.n
    return result


def with_confidence(rows: Sequence[RefusalRow]) -> list[RefusalRow]:
    """Return the rows whose reply is known to be right or wrong and states a confidence level."""
    return [row for row in rows if row.outcome.right is not None and row.level]


def reliability_bins(rows: Sequence[RefusalRow]) -> list[Bin]:
    """Return the five bins of rows with a confidence, most confident first."""
    return reliability(*stated_confidence(rows), [MIDPOINTS[level] for level in LEVELS])


def stated_confidence(rows: Sequence[RefusalRow]) -> tuple[list[float], list[float]]:
    """Return the confidence of rows that state one, and 1 where the reply is right, else 0."""
    confidence = [math.nan if row.level is None else MIDPOINTS[row.level] for row in rows]
    return confidence, [float(row.outcome.right is True) for row in rows]


def _ece(rows: Sequence[RefusalRow]) -> float:
    return expected_calibration_error(reliability_bins(rows))
