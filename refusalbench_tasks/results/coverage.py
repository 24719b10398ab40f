"""How much of each part of the rows is decided, and whether values of parts can stand
beside each other.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics.refusal_counts import count_columns, hides_accuracy
from refusalbench_tasks.metrics.refusal_metrics import OF_ANSWERS

from .run_view import INCOMPLETE, RunView


def coverage(replies: "pd.DataFrame") -> float:
    """Return the share of scored replies that are decided, or known to be none; NaN
    without replies.
    """
    return float((replies["outcome"] != "unscored").mean())


def is_uneven(coverages: Sequence[float]) -> bool:
    """Return whether parts differ in their coverage by more than `INCOMPLETE`.

    A difference between their values may then be one of what was decided, so their
    bounds come first (our definition).
    """
    known = [share for share in coverages if not np.isnan(share)]
    # a gap of exactly so much must not be more by a rounding error
    return bool(known) and max(known) - min(known) > INCOMPLETE + 1e-9


def uneven_note(coverages: Sequence[float]) -> str:
    """Return in words how far parts differ in their coverage; empty where they don't.

    It is to be the beginning of a sentence.
    """
    if not is_uneven(coverages):
        return ""
    low = 100 * np.nanmin(coverages)
    high = 100 * np.nanmax(coverages)
    span = f"{low:.0f} to {high:.0f} %"
    return f"The parts differ in how much of them is decided ({span})"


def span_text(bounds: tuple[float, float]) -> str:
    """Return bounds in words."""
    low, high = bounds
    return f"{low:.3f} to {high:.3f}"


def why_withheld(view: RunView, metric: str) -> str:
    """Return how few replies are graded, and what to do, where a metric of right
    answers has no value for that; else nothing.
    """
    has_value = metric not in OF_ANSWERS or view.number(metric).known
    if has_value or not hides_accuracy(view.rows):
        return ""
    columns = count_columns(view.rows)
    of_all = f"of {columns['every_answerable'].sum():.0f} replies to answerable rows"
    graded = f"{columns['graded'].sum():.0f} {of_all}"
    if any(view.rows["graders"]):
        return f"{graded} are graded; score the log again (`inspect score`)"
    return (
        f"{graded} could be graded offline; add other wordings to `answers` or name a"
        " grader (`--model-role grader=…`)"
    )
