"""Retrieval of an application that tells what it retrieved: hit@k, and false refusals by whether the gold was there.

A false refusal with the gold passage in sight is the reader's; without it, the retriever's (our definition).
"""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.uncertainty import ratios_of, uncertainty
from refusalbench_tasks.taxonomy import Label

RETRIEVAL = ("hit_at_k", "false_refusal_rate_given_hit", "false_refusal_rate_given_miss")
"""The metrics, in the order of the cells."""


def retrieval(rows: RefusalRows) -> dict[str, float]:
    """Return the metrics with their n, and the mean number of retrieved passages; empty if no row tells any.

    All are about answerable rows. `hit_at_k`: rows whose gold passage or answer was retrieved / rows of which that is
    known, whatever the reply was. `false_refusal_rate_given_hit`, `..._given_miss`: refused / decided, among those
    where it was and where it was not. Rows of which it is unknown are in none; NaN without a denominator.
    """
    if not _told(rows):
        return {}
    totals = rows.total(_cells(rows.kinds))
    values = dict(zip(RETRIEVAL, map(float, ratios_of(totals)), strict=True))
    ns = {f"{name}_n": float(n) for name, n in zip(RETRIEVAL, totals[len(RETRIEVAL) :], strict=True)}
    told = [(row.retrieved_k, n) for row, n in rows.present if row.retrieved_k is not None]
    every = sum(n for _, n in told)
    return values | ns | {"retrieved_k": sum(k * n for k, n in told) / every, "retrieved_k_n": float(every)}


def retrieval_intervals(
    rows: RefusalRows, resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None
) -> dict[str, float]:
    """Return standard errors and 95 % intervals of the metrics; empty if no row tells of retrieval."""
    if not _told(rows):
        return {}
    units = rows.units_to_draw(cluster)
    return uncertainty(RETRIEVAL, units.sums(_cells(rows.kinds)), ratios_of, resamples, seed, numbers=units.numbers)


def _told(rows: RefusalRows) -> bool:
    return bool(rows.number(lambda row: row.retrieved_k is not None))


def _cells(rows: Sequence[RefusalRow]) -> Floats:
    """Return what the metrics are ratios of sums of: numerators, then denominators, shape (n, 6)."""
    return np.array([_cell(row) for row in rows], dtype=float).reshape(-1, 2 * len(RETRIEVAL))


def _cell(row: RefusalRow) -> tuple[bool, ...]:
    known = row.gold_retrieved is not None and row.outcome.expected is Label.ANSWER
    hit, decided = bool(row.gold_retrieved), known and row.outcome.predicted is not None
    refused = decided and row.outcome.predicted is not Label.ANSWER
    return (known and hit, refused and hit, refused and not hit, known, decided and hit, decided and not hit)
