"""The values of the refusal metrics over the rows of a log.

A row is one sample in one epoch; clusters keep the epochs of a question together.
"""

from collections.abc import Sequence
from typing import get_args

import numpy as np

from refusalbench_tasks.metrics.consistency import consistency, consistency_intervals
from refusalbench_tasks.metrics.grounding import (
    BUCKETS,
    QUALITY,
    Replies,
    citation_quality,
    distribution,
    kind_cells,
    kind_shares,
    quality,
    quality_cells,
)
from refusalbench_tasks.metrics.lenient_category import lenient_category
from refusalbench_tasks.metrics.refusal import (
    METRICS,
    counts_by_name,
    defined_metrics,
    denominators,
    main_metrics,
    rates,
)
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.metrics.retrieval import retrieval, retrieval_intervals
from refusalbench_tasks.outcome import Cluster, DecidedBy, Protocol, Reason
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.uncertainty import ratios_of, uncertainty
from refusalbench_tasks.taxonomy import Label

WITH_INTERVALS = main_metrics(grounded=False)
"""The main metrics: they have intervals in a log and columns in `show`, `report` and `compare`."""
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
# Inspect draws every metric on the screen, again and again: what a log can give later is not a metric.


def main_rates(rows: RefusalRows) -> dict[str, float]:
    """Return the paper's metrics over the perturbed rows (App. D), the controls' two, and what else rows tell."""
    every = _rates(rows.perturbed, rows.protocol)
    result = {name: every[name] for name in defined_metrics(rows.grounded, rows.codes)}
    if rows.controls:
        clean = _rates(rows.controls, "paper")
        result |= {f"control_{name}": clean[name] for name in OF_CONTROLS}
    result |= lenient_category(rows.perturbed) if rows.codes else {}
    return result | consistency(rows.perturbed) | retrieval(rows.perturbed)


def _rates(rows: RefusalRows, protocol: Protocol) -> dict[str, float]:
    values = rates(rows.totals(), protocol)
    return dict(zip(METRICS, map(float, values), strict=True))


def row_counts(rows: RefusalRows) -> dict[str, float]:
    """Return how many rows there are of each kind, how they were decided, and why some were not."""
    perturbed = rows.perturbed
    counts = counts_by_name(perturbed.totals())
    undecided = rows.at(~rows.decided)
    reasons = undecided.counted(lambda row: row.reason)
    deciders = rows.counted(lambda row: row.decided_by)
    answerable = perturbed.number(lambda row: row.outcome.expected is Label.ANSWER)
    result: dict[str, float] = {
        "n": len(rows),
        "n_answerable": answerable,
        "n_unanswerable": len(perturbed) - answerable,
        "n_controls": len(rows) - len(perturbed),
        "n_clusters": rows.questions,
        "n_unscored": len(undecided),
        "n_ungraded": counts["ungraded"],
        "n_self_graded": rows.number(lambda row: row.self_graded),
    }
    result |= {f"n_{reason}": reasons[reason] for reason in get_args(Reason) if reasons[reason]}
    result |= {f"n_by_{decider}": deciders[decider] for decider in get_args(DecidedBy)}
    return result


def intervals(rows: RefusalRows, resamples: int, seed: int, cluster: Cluster | None = None) -> dict[str, float]:
    """Return n, standard errors and 95 % percentile interval of the rates, and of the controls' two.

    `cluster` is `question` (resample base questions) or `row` (take rows for independent), by default what the run was
    told.
    """
    names = defined_metrics(rows.grounded, rows.codes)
    result = _intervals(rows.perturbed, names, rows.protocol, resamples, seed, cluster)
    if rows.controls:
        clean = _intervals(rows.controls, OF_CONTROLS, "paper", resamples, seed, cluster)
        result |= {f"control_{name}": value for name, value in clean.items()}
    result |= retrieval_intervals(rows.perturbed, resamples, seed, cluster)
    return result | consistency_intervals(rows.perturbed, resamples, seed)


def _intervals(
    rows: RefusalRows,
    metrics: Sequence[str],
    protocol: Protocol,
    resamples: int,
    seed: int,
    cluster: Cluster | None,
) -> dict[str, float]:
    def statistic(totals: Floats) -> Floats:
        return rates(totals, protocol, metrics)

    ns = denominators(rows.totals(), protocol)
    result = {f"{name}_n": ns[name] for name in metrics}
    units = rows.units_to_draw(cluster)
    sums = units.sums(rows.vectors)
    return result | uncertainty(metrics, sums, statistic, resamples, seed, numbers=units.numbers)


def grounding(
    rows: RefusalRows, resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None
) -> dict[str, float]:
    """Return answer quality with standard errors and intervals, and the citation metrics, of the perturbed rows."""
    replies, units = replies_of(rows.perturbed), rows.perturbed.units_to_draw(cluster)
    sums = units.sums(quality_cells(_replies_of_kinds(rows.perturbed)))
    return {
        **quality(replies),
        **uncertainty(QUALITY, sums, ratios_of, resamples, seed, numbers=units.numbers),
        **citation_quality(replies),
    }


def kinds(rows: RefusalRows, resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None) -> dict[str, float]:
    """Return the shares of the six kinds of reply among the perturbed rows, with standard errors and intervals.

    `kinds_n` is the number of replies that are known to be right or wrong, which the shares are of. Two of the kinds
    are about codes: empty where none were asked for.
    """
    if not rows.codes:
        return {}
    replies, units = replies_of(rows.perturbed), rows.perturbed.units_to_draw(cluster)
    sums = units.sums(kind_cells(_replies_of_kinds(rows.perturbed)))
    sure = uncertainty(BUCKETS, sums, kind_shares, resamples, seed, numbers=units.numbers)
    return {**distribution(replies), **sure, "kinds_n": float(replies.number(*BUCKETS))}


def _replies_of_kinds(rows: RefusalRows) -> Replies:
    return replies_of(RefusalRows(rows.kinds))


def replies_of(rows: RefusalRows) -> Replies:
    """Return rows as the metrics of answer quality see them."""
    cited, existing, signal = (np.nan_to_num(rows.column(f"citations{part}")) for part in ("", "_existing", "_signal"))
    outcomes = [row.outcome for row in rows.kinds]
    return Replies(outcomes, rows.column("eligible"), rows.column("factual_all"), cited, existing, signal, rows.which)
