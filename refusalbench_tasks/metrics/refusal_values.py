"""The values of the refusal metrics over the rows of a log.

A row is one sample in one epoch; clusters keep the epochs of a question together.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import get_args

import numpy as np

from refusalbench_tasks.metrics.grounding import BUCKETS, Replies, citation_quality, distribution, quality
from refusalbench_tasks.metrics.refusal import METRICS, RATES, counts_by_name, denominators, rates
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.outcome import DecidedBy, Protocol, Reason
from refusalbench_tasks.stats.cluster import Floats, bounded_bootstrap, cluster_sums, jackknife_stderr
from refusalbench_tasks.taxonomy import Label

WITH_INTERVALS = tuple(name for name, rate in RATES.items() if rate.main)
"""The main metrics: they have intervals in a log and columns in `show`, `report` and `compare`."""
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
_GROUPS = ("class", "intensity", "generator", "domain", "type", "complexity")
_BY_GROUP = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate")
# Inspect draws every metric on the screen, again and again: what a log can give later is not a metric.


def main_rates(rows: RefusalRows) -> dict[str, float]:
    """Return the paper's metrics over the perturbed rows (App. D), and the clean controls' two rates beside them."""
    result = _rates(rows.perturbed, rows.protocol)
    if rows.controls:
        clean = _rates(rows.controls, "paper")
        result |= {f"control_{name}": clean[name] for name in OF_CONTROLS}
    return result


def _rates(rows: RefusalRows, protocol: Protocol) -> dict[str, float]:
    values = rates(rows.counts.sum(axis=0), protocol)
    return dict(zip(METRICS, map(float, values), strict=True))


def row_counts(rows: RefusalRows) -> dict[str, float]:
    """Return how many rows there are of each kind, how they were decided, and why some were not."""
    perturbed = rows.perturbed
    counts = counts_by_name(perturbed.counts.sum(axis=0))
    reasons = Counter(row.reason for row in rows if row.outcome.predicted is None)
    deciders = Counter(row.decided_by for row in rows)
    result: dict[str, float] = {
        "n": len(rows),
        "n_answerable": sum(row.outcome.expected is Label.ANSWER for row in perturbed),
        "n_unanswerable": sum(row.outcome.expected is not Label.ANSWER for row in perturbed),
        "n_controls": len(rows) - len(perturbed),
        "n_clusters": len(set(rows.clusters)),
        "n_unscored": sum(reasons.values()),
        "n_ungraded": counts["ungraded"],
        "n_self_graded": sum(row.self_graded for row in rows),
    }
    result |= {f"n_{reason}": reasons[reason] for reason in get_args(Reason) if reasons[reason]}
    result |= {f"n_by_{decider}": deciders[decider] for decider in get_args(DecidedBy)}
    return result


def intervals(rows: RefusalRows, resamples: int, seed: int, cluster: str) -> dict[str, float]:
    """Return n, clustered standard error and 95 % percentile interval of the main metrics, and of the controls' two.

    `cluster` is `source` (resample base questions) or `row` (take rows for independent).
    """
    perturbed = rows.perturbed
    result = _intervals(perturbed, WITH_INTERVALS, perturbed.protocol, resamples, seed, cluster)
    if rows.controls:
        clean = _intervals(rows.controls, OF_CONTROLS, "paper", resamples, seed, cluster)
        result |= {f"control_{name}": value for name, value in clean.items()}
    return result


def _intervals(
    rows: RefusalRows, metrics: Sequence[str], protocol: Protocol, resamples: int, seed: int, cluster: str
) -> dict[str, float]:
    names = rows.clusters if cluster == "source" else [f"{i:09d}" for i in range(len(rows))]
    sums = cluster_sums(rows.counts, names)

    def statistic(totals: Floats) -> Floats:
        return rates(totals, protocol)

    interval = bounded_bootstrap(sums, statistic, resamples, seed)
    stderr = jackknife_stderr(sums, statistic)
    ns = denominators(rows.counts.sum(axis=0), protocol)
    result: dict[str, float] = {}
    for name in metrics:
        i = METRICS.index(name)
        result |= {
            f"{name}_n": ns[name],
            f"{name}_stderr": float(stderr[i]),
            f"{name}_bootstrap_stderr": float(interval.stderr[i]),
            f"{name}_ci_low": float(interval.low[i]),
            f"{name}_ci_high": float(interval.high[i]),
        }
    return result


def by_group(every: RefusalRows) -> dict[str, float]:
    """Return four rates and n by class, intensity, generator, domain ..., as `GROUP/METRIC`; only groups that occur.

    The missed refusal rate and the rest follow from a log (`refusalbench show`).
    """
    rows = every.perturbed
    result: dict[str, float] = {}
    for name in _GROUPS:
        groups = rows.groups(name)
        ns = Counter(groups)
        values = rates(cluster_sums(rows.counts, groups), rows.protocol)
        for group, of_group in zip(sorted(ns), values, strict=True):
            if group:
                named = dict(zip(METRICS, of_group.tolist(), strict=True))
                result |= {f"{group}/{metric}": named[metric] for metric in _BY_GROUP if not math.isnan(named[metric])}
                result[f"{group}/n"] = float(ns[group])
    return result


def grounding(rows: RefusalRows) -> dict[str, float]:
    """Return answer quality and the citation metrics of the perturbed rows."""
    replies = replies_of(rows.perturbed)
    return {**quality(replies), **citation_quality(replies)}


def kinds(rows: RefusalRows) -> dict[str, float]:
    """Return the shares of the six kinds of reply among the perturbed rows, with `kinds_n`, the replies behind them."""
    replies = replies_of(rows.perturbed)
    return {**distribution(replies), "kinds_n": float(replies.number(*BUCKETS))}


def replies_of(rows: RefusalRows) -> Replies:
    """Return rows as the metrics of answer quality see them."""
    cited = (np.nan_to_num(rows.column(f"citations{part}")) for part in ("", "_existing", "_signal"))
    return Replies(rows.outcomes, rows.column("eligible"), rows.column("factual_all"), *cited)
