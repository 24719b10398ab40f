"""Two runs of `bluff`, reply by reply and pair by pair."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW, columns, published
from refusalbench_tasks.metrics.hedging_metrics import MEASURES, arm_sums
from refusalbench_tasks.metrics.hedging_pairs import pair_columns, pairs
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.results.paired_replies import (
    Family,
    Pairing,
    Quantity,
    ratio_quantity,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, Mask, places_of

if TYPE_CHECKING:
    import pandas as pd

PAIRED = ("asi", "confidence_drop", "hedging_difference")
COMPARED = (
    "vui",
    "hedge_lift",
    "refusal_sensitivity",
    "answer_correctness",
    "refusal_rate",
    "faithfulness",
)
"""The measures of replies, and before them those of pairs of replies, by which runs are
compared.
"""


def _replies(first: Run, other: Run) -> "tuple[pd.DataFrame, pd.DataFrame, str]":
    return published(first.replies), published(other.replies), ""


def _judged(table: "pd.DataFrame") -> tuple[Mask, Floats]:
    """Return which replies refuse, and which are right; a refusal is none, and neither
    is a missing reply.
    """
    refused = (table["refused"] == 1).to_numpy(bool)
    answered = (table["refused"] == 0) & (table["outcome"] == "decided")
    right = ((table["refused"] == 0) & (table["correctness"] >= WRONG_BELOW)).astype(
        float
    )
    return refused, right.mask(answered & table["correctness"].isna()).to_numpy(float)


def _quantities(of: Pairing) -> list[Quantity]:
    """Return the measures of pairs of replies, and those of replies.

    Measures count the replies of each run that they are about (answers, for the VUI).
    The paired measures need both arms of a question answered, with a confidence, in
    both runs.
    """
    if not len(of.a):
        return []
    sides = []
    for side in (of.a, of.b):
        own = dict(columns(side.assign(correctness=side["correctness"].mask(of.lost))))
        # a refusal's credit would be counted, where the other run's answer is not
        own["answer_correctness"] = np.where(of.lost, np.nan, own["answer_correctness"])
        sides.append(own)
    # faithfulness is that of replies that are measured in both runs
    unmeasured = np.isnan(sides[0]["faithfulness"] + sides[1]["faithfulness"])
    for own in sides:
        own["faithfulness"] = np.where(unmeasured, np.nan, own["faithfulness"])
    a, b = (arm_sums(own, cluster_index(of.a)) for own in sides)
    found = [_of_pairs(of)]
    for name in COMPARED:
        one = MEASURES[name]
        values = partial(a.values, [one])
        sizes = partial(a.sizes, [one])
        kept = (
            np.flatnonzero(sizes(a.rows)[:, 0] > 0)
            if name == "faithfulness"
            else slice(None)
        )
        rows = a.rows[kept], b.rows[kept]
        found.append(
            Quantity(
                (name,), *rows, np.arange(len(rows[0])), values, sizes, one.bounded
            )
        )
    return found


def _of_pairs(of: Pairing) -> Quantity:
    """Return the measures of the pairs that are kept in both runs."""
    one, other = (
        pairs(side).set_index(["item", "epoch"], drop=False) for side in of.every
    )
    kept = one.index[one["dropped"] == ""].intersection(
        other.index[other["dropped"] == ""]
    )
    columns_of = [
        pair_columns(side.loc[kept], of.first.protocol) for side in (one, other)
    ]
    every = np.ones((len(kept), len(PAIRED)))
    a, b = (
        np.hstack([np.column_stack([side[name] for name in PAIRED]), every])
        for side in columns_of
    )
    return ratio_quantity(
        PAIRED, a, b, places_of(list(one.loc[kept, "unit"])), share=False
    )


HEDGING_FAMILY = Family(_replies, published, _judged, _quantities)
