"""Two runs of `nq` or `garage`, row by row."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics.feature_rows import features_in
from refusalbench_tasks.metrics.metric import Metric, Sums
from refusalbench_tasks.metrics.refusal_counts import count_sums, hides_accuracy
from refusalbench_tasks.metrics.refusal_metrics import (
    CONTROL,
    OF_CONTROLS,
    RATES,
    SHARES,
    main_metrics,
)
from refusalbench_tasks.metrics.refusal_shares import (
    Parts,
    clarification_shares,
    consistency_shares,
    part_sums,
)
from refusalbench_tasks.metrics.reply_columns import cluster_index, protocol_of
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, Mask
from refusalbench_tasks.taxonomy import Label

from .paired_replies import (
    Family,
    PairedSums,
    Pairing,
    decided,
    paired,
)
from .table import Run

_MIXED = (
    "only one of the two runs was asked for refusal codes: categories are not compared,"
    " and any refusal that is due counts as right in both"
)


def _replies(first: Run, other: Run) -> "tuple[pd.DataFrame, pd.DataFrame, str]":
    """Return the replies of both runs, those of neither with codes where only one was
    asked for them.
    """
    tables = first.replies, other.replies
    if tables[0]["codes"].all() == tables[1]["codes"].all():
        return *tables, ""
    return _without_codes(tables[0]), _without_codes(tables[1]), _MIXED


def _without_codes(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return replies as they are where no codes were asked for: any refusal that is due
    is right.
    """
    refused, right = _judged(table)
    due = (table["expected"] != Label.ANSWER) & (table["outcome"] == "decided")
    return table.assign(codes=False, right=np.where(due, refused, right))


def _judged(table: "pd.DataFrame") -> tuple[Mask, Floats]:
    refused = (~table["predicted"].isin(["", Label.ANSWER])).to_numpy(bool)
    return refused, table["right"].to_numpy(float)


def _sums(of_both: Pairing) -> list[PairedSums]:
    """Return the main metrics, those of pairs and quads, of questions back (if a reply
    is one) and of controls, as far as both runs have them.
    """
    sums = []
    first = of_both.a
    if len(first):
        of_second = main_metrics(of_both.sides[1])
        names = [name for name in main_metrics(of_both.sides[0]) if name in of_second]
        metrics = [RATES[name] for name in names]
        second = of_both.b
        sums = [
            _of_rates(
                first,
                second,
                of_both.lost,
                metrics,
            ),
            *_of_shares(
                consistency_shares(first),
                consistency_shares(second),
                # by quad whatever the runs were told: a group is never cut
                cluster_index(first, "question"),
            ),
            *_of_clarifications(first, second),
            *_of_features(first, second),
        ]
    controls = [side[side["control"]] for side in of_both.sides]
    a, b = decided(*paired(*controls))
    if len(a):
        lost = np.isnan(a["right"]) | np.isnan(b["right"])
        metrics = [
            replace(RATES[name], name=f"{CONTROL}{name}") for name in OF_CONTROLS
        ]
        sums.append(
            _of_rates(
                a,
                b,
                lost.to_numpy(),
                metrics,
            )
        )
    return sums


def _of_rates(
    a: "pd.DataFrame",
    b: "pd.DataFrame",
    lost: Mask,
    metrics: Sequence[Metric],
) -> PairedSums:
    """Return metrics of paired rows.

    Where one run's attempt is ungraded, the other's reply counts as ungraded too,
    refusal or not: leaving out the pair would leave out answers and keep refusals.
    """
    ungraded = lost & (a["expected"] == Label.ANSWER)
    a = a.assign(right=a["right"].mask(ungraded))
    # with other data a row may be of another question in B
    b = b.assign(
        right=b["right"].mask(ungraded),
        cluster=a["cluster"],
        item=a["item"],
    )
    if protocol_of(a) == "paper" and (hides_accuracy(a) or hides_accuracy(b)):
        metrics = [
            replace(metric, formula=_unknown) if metric.graded else metric
            for metric in metrics
        ]
    return PairedSums(
        metrics,
        count_sums(a),
        count_sums(b),
    )


def _unknown(c: Sums) -> Floats:
    return np.full_like(c["rows"], np.nan)


def _of_clarifications(a: "pd.DataFrame", b: "pd.DataFrame") -> list[PairedSums]:
    """Return the rates of questions back; nothing where no reply is one."""
    if not any((side["asks_back"] == 1).any() for side in (a, b)):
        return []
    return _of_shares(
        clarification_shares(a),
        clarification_shares(b),
        cluster_index(a),
    )


def _of_shares(
    first: Parts,
    second: Parts,
    places: ClusterIndex,
) -> list[PairedSums]:
    """Return the shares that both runs have, each over the replies (or groups) that are
    known in both; nothing without any.
    """
    names = [name for name in first if name in second]
    if not names:
        return []

    sides = []
    for parts in (first, second):
        both_known = {}
        for name in names:
            complete = first[name][1] & second[name][1]
            both_known[name] = (parts[name][0] & complete, complete)
        sides.append(part_sums(both_known, places))
    metrics = [SHARES[name] for name in names]
    return [PairedSums(metrics, *sides)]


def _of_features(a: "pd.DataFrame", b: "pd.DataFrame") -> list[PairedSums]:
    """Return the metrics of features that both runs have, each side over its own
    denominators.
    """
    sums = []
    for feature in features_in(tuple(a.columns)):
        if feature not in features_in(tuple(b.columns)):
            continue
        by_question = cluster_index(a, "question")
        for parts_of, places in (
            (feature.row_shares, cluster_index(a)),
            (feature.group_shares, by_question),
        ):
            first = parts_of(a)
            second = parts_of(b)
            names = [name for name in first if name in second]
            sides = []
            for parts in (first, second):
                shared = {name: parts[name] for name in names}
                sides.append(part_sums(shared, places))
            metrics = [feature.METRICS[name] for name in names]
            sums.append(PairedSums(metrics, *sides))
    return sums


REFUSAL_FAMILY = Family(
    _replies,
    main_rows,
    _judged,
    _sums,
)
