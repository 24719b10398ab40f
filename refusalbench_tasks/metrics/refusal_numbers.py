"""All numbers of a table of replies: what a log holds of them, what `results` shows, and the rates of groups."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refusalbench_tasks.metrics.level_calibration import calibration
from refusalbench_tasks.metrics.refusal import (
    cluster_index,
    defined_metrics,
    headline,
    main_metrics,
    main_rows,
    protocol_of,
    rates,
    sizes,
    values,
)
from refusalbench_tasks.metrics.refusal_counts import count_vectors
from refusalbench_tasks.metrics.refusal_shares import CONSISTENCY, other_shares
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import cluster_sums
from refusalbench_tasks.stats.estimate import Estimate, estimates

if TYPE_CHECKING:
    import pandas as pd

OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
BY_GROUP = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate")
"""The rates that groups of rows have."""
_LOGGED = ("no_reply_rate", "unscored_rate", "answer_quality", "hit_at_k", *CONSISTENCY, "ece", "brier")
"""What a log holds beside the main metrics and those of controls, where the run has it."""


def every_number(
    table: "pd.DataFrame", resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None
) -> dict[str, Estimate]:
    """Return every number of a table of replies by name; with `resamples=0` without bootstrap.

    `control_...` are those of controls by the paper's formulas, whatever the protocol. `cluster` is as in
    `metrics.refusal.values`.
    """
    how = (resamples, seed, cluster)
    found = values(table, *how)
    controls = table[table["control"]].assign(protocol="paper")
    if len(controls):
        of_controls = values(controls, *how, names=OF_CONTROLS)
        found |= {f"control_{name}": one for name, one in of_controls.items()}
    found |= other_shares(table, *how) | calibration(table, *how)
    retrieved = main_rows(table)["retrieved_k"].dropna()
    if len(retrieved):
        found["retrieved_k"] = Estimate(value=float(retrieved.mean()), n=float(len(retrieved)))
    return found


def logged_numbers(table: "pd.DataFrame", cluster: Cluster | None = None) -> dict[str, float]:
    """Return what a log holds: the main metrics, each with `_stderr`, and as `stderr` that of the headline.

    Inspect's data frames take a headline's error from the metric of that name. Everything else follows from the
    samples.
    """
    found, rows = every_number(table, 0, 0, cluster), main_rows(table)
    codes = bool(rows["codes"].all())
    main = main_metrics(bool(rows["grounded"].any()), codes)
    chosen = [name for name in found if name in (*main, *_LOGGED) or name.startswith("control_")]
    result = {"stderr": found[headline(codes)].stderr}
    for name in chosen:
        result |= {name: found[name].value, f"{name}_stderr": found[name].stderr}
    return result


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
    protocol, codes = protocol_of(rows), bool(rows["codes"].all())
    defined = defined_metrics(bool(rows["grounded"].any()), codes)
    chosen = [name for name in names if name in defined]
    vectors, index, found = count_vectors(rows), cluster_index(rows, cluster), {}
    for group in sorted(set(rows[column]) - {""}):
        sums = cluster_sums(vectors * (rows[column] == group).to_numpy()[:, None], index)
        found[group] = estimates(
            chosen, sums, lambda c: rates(c, protocol, chosen), lambda c: sizes(c, protocol, chosen), resamples, seed
        )
    return found
