"""How many replies of a run have no confidence, and why."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

TOLERATED = 0.1
"""A larger share of replies without a confidence is warned about."""


def missing_confidences(table: "pd.DataFrame") -> str | None:
    """Return a sentence if more than a tenth of a table's replies lack a confidence that was asked for, else None."""
    reasons = table["confidence_missing"]
    lost = reasons[~reasons.isin(("", "not_asked"))].value_counts().sort_index()
    if not lost.sum() > TOLERATED * len(table):
        return None
    why = ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in lost.items())
    return f"{lost.sum()} of {len(table)} replies have no confidence ({why})."
