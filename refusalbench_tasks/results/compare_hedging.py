"""Two runs of `bluff`, reply by reply and pair by pair."""

from dataclasses import replace

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics.hedging_columns import (
    WRONG_BELOW,
    hedging_columns,
    published,
)
from refusalbench_tasks.metrics.hedging_metrics import MEASURES, PAIRS, arm_sums
from refusalbench_tasks.metrics.hedging_pairs import pair_columns, pairs
from refusalbench_tasks.metrics.named_sums import NamedSums, named_sums, with_counts
from refusalbench_tasks.metrics.reply_columns import cluster_index, protocol_of
from refusalbench_tasks.stats.cluster import Floats, Mask, places_of

from .paired_replies import Family, PairedSums, Pairing


def _judged(table: "pd.DataFrame") -> tuple[Mask, Floats]:
    """Return which replies refuse, and which are right; a refusal is none, and neither
    is a missing reply.
    """
    stated = table["refused"]
    refused = (stated == 1).to_numpy(bool)
    answered = (stated == 0) & (table["outcome"] == "decided")
    correctness = table["correctness"]
    right = (stated == 0) & (correctness >= WRONG_BELOW)
    ungraded = answered & correctness.isna()
    return refused, right.astype(float).mask(ungraded).to_numpy(float)


def _sums(of_both: Pairing) -> list[PairedSums]:
    """Return the measures of pairs of replies, and those of replies.

    Measures count the replies of each run that they are about (answers, for the VUI).
    The paired measures need both arms of a question answered, with a confidence, in
    both runs.
    """
    if not len(of_both.a):
        return []
    columns = []
    for side in (of_both.a, of_both.b):
        graded = side["correctness"].mask(of_both.lost)
        values = dict(hedging_columns(side.assign(correctness=graded)))
        # a refusal's credit would be counted, where the other run's answer is not
        credit = values["answer_correctness"]
        values["answer_correctness"] = np.where(
            of_both.lost,
            np.nan,
            credit,
        )
        columns.append(values)
    # faithfulness is that of replies that are measured in both runs
    unmeasured = np.isnan(columns[0]["faithfulness"] + columns[1]["faithfulness"])
    for values in columns:
        values["faithfulness"] = np.where(
            unmeasured,
            np.nan,
            values["faithfulness"],
        )
    places = cluster_index(of_both.a)
    a, b = (arm_sums(values, places) for values in columns)
    faithfulness = [MEASURES["faithfulness"]]
    measured = a.sizes(faithfulness, a.rows)[:, 0] > 0
    a_measured = replace(a, rows=a.rows[measured])
    b_measured = replace(b, rows=b.rows[measured])
    return [
        _of_pairs(of_both),
        PairedSums([metric for metric in MEASURES.values() if metric.compared], a, b),
        PairedSums(faithfulness, a_measured, b_measured),
    ]


def _of_pairs(of_both: Pairing) -> PairedSums:
    """Return the measures of the pairs that are kept in both runs."""
    sides = [
        pairs(side).set_index(["item", "epoch"], drop=False) for side in of_both.every
    ]
    kept = [side[side["dropped"] == ""].index for side in sides]
    both = kept[0].intersection(kept[1])
    places = places_of(sides[0].loc[both, "unit"])
    protocol = protocol_of(of_both.every[0])

    def sums(side: "pd.DataFrame") -> NamedSums:
        values = pair_columns(side.loc[both], protocol)
        return named_sums(with_counts(values), places)

    metrics = [metric for metric in PAIRS.values() if metric.main]
    return PairedSums(
        metrics,
        sums(sides[0]),
        sums(sides[1]),
    )


HEDGING_FAMILY = Family(
    lambda first, other: (published(first.replies), published(other.replies), ""),
    published,
    _judged,
    _sums,
)
