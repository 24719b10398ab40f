"""Failures of a grader in a row: a run says once that a grader gives no verdicts any
more.
"""

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from inspect_ai.model import Model

LONGEST = 10
"""Replies in a row without a verdict of a grader from which it is named: by chance they
would not come together.
"""
logger = logging.getLogger(__name__)


@dataclass
class _FailureRow:
    reasons: list[str] = field(default_factory=list)
    warned: bool = False


_rows: WeakKeyDictionary[Model, _FailureRow] = WeakKeyDictionary()


def forget_failures(graders: Iterable[Model]) -> None:
    """Begin anew for some graders, as a new run does."""
    for grader in graders:
        _rows.pop(grader, None)


def count_verdict(grader: Model, failure: str | None) -> None:
    """Count a grader's failure on a reply; None, for a verdict, ends the row.

    Logs one warning, once a run, when the row is LONGEST.
    """
    row = _rows.setdefault(grader, _FailureRow())
    if failure is None:
        row.reasons.clear()
        return
    row.reasons.append(failure)
    if len(row.reasons) < LONGEST or row.warned:
        return
    row.warned = True
    [(reason, n)] = Counter(row.reasons).most_common(1)
    logger.warning(
        "The grader %s gave no verdict on %d replies in a row, most often: %s (%d). "
        "They stay unscored; grade the log again with another grader by inspect score",
        grader,
        len(row.reasons),
        reason,
        n,
    )
