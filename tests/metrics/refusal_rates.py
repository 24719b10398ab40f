"""The rates of rows in few words, and the rows that the tests work by hand."""

from collections.abc import Sequence
from typing import Any

from refusalbench_tasks.metrics.refusal_counts import count_sums
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.outcome import Protocol
from tests.metrics.replies import A, C, M, X, some

FAILED = "grader_failed"


def measured(
    rows: Sequence[tuple[Any, ...]], protocol: Protocol = "paper"
) -> dict[str, float]:
    sums = count_sums(some(rows).assign(protocol=protocol))
    rates = sums.values([*RATES.values()], sums.rows.sum(axis=0))
    return dict(zip(RATES, rates.tolist(), strict=True))


HAND = [
    # five answerable rows: 2 right, 1 wrong, 1 refused, 1 undecided
    (A, A, True),
    (A, A, True),
    (A, A, False),
    (A, M),
    (A, FAILED),
    # seven unanswerable rows: 3 hits, 1 wrong code, 1 REFUSE_OTHER, 1 answered, 1
    # undecided
    (M, M),
    (M, M),
    (M, C),
    (C, C),
    (C, X),
    (C, A),
    (C, FAILED),
]
