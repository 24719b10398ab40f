"""How many replies of a run have no confidence, and why, from its metrics."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

TOLERATED = 0.1
"""A larger share of replies without a confidence is warned about."""
_PREFIX = "n_confidence_"


def confidence_warning(metrics: Mapping[str, float]) -> str | None:
    """Return a sentence if more than a tenth of a run's replies lack a confidence that was asked for, else None."""
    reasons = {
        name.removeprefix(_PREFIX): int(n)
        for name, n in metrics.items()
        if name.startswith(_PREFIX) and not math.isnan(n) and name != f"{_PREFIX}not_asked"
    }
    total, missing = metrics.get("n", 0.0), sum(reasons.values())
    if not missing > TOLERATED * total:
        return None
    why = ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in sorted(reasons.items()))
    return f"{missing} of {total:.0f} replies have no confidence ({why})."


def missing_confidences(table: "pd.DataFrame") -> str | None:
    """Return a sentence if more than a tenth of a table's replies lack a confidence that was asked for, else None."""
    reasons = table["confidence_missing"]
    lost = reasons[~reasons.isin(("", "not_asked"))].value_counts().sort_index()
    if not lost.sum() > TOLERATED * len(table):
        return None
    why = ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in lost.items())
    return f"{lost.sum()} of {len(table)} replies have no confidence ({why})."
