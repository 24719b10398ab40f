"""The rates of groups of replies: by class, intensity, domain and whatever else the table has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refusalbench_tasks.metrics.frame import cluster_index, protocol_of
from refusalbench_tasks.metrics.refusal import defined_metrics, rate_estimates
from refusalbench_tasks.metrics.refusal_counts import count_vectors
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import cluster_sums
from refusalbench_tasks.stats.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

BY_GROUP = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate")
"""The rates that groups of rows have."""


def by_group(
    table: "pd.DataFrame",
    column: str,
    names: Sequence[str] = BY_GROUP,
    resamples: int = 1000,
    seed: int = 0,
    cluster: Cluster | None = None,
) -> dict[str, dict[str, Estimate]]:
    """Return the rates of each group of the main rows, by the text in a column of the table; "" is no group.

    All groups see the same resamples of everything.
    """
    rows = main_rows(table)
    defined = defined_metrics(bool(rows["grounded"].any()), bool(rows["codes"].all()))
    chosen = [name for name in names if name in defined]
    vectors, index, found = count_vectors(rows), cluster_index(rows, cluster), {}
    for group in sorted(set(rows[column]) - {""}):
        sums = cluster_sums(vectors * (rows[column] == group).to_numpy()[:, None], index)
        found[group] = rate_estimates(chosen, sums, protocol_of(rows), resamples, seed)
    return found
