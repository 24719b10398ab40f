"""What kind of reply each is, in words."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW
from refusalbench_tasks.metrics.refusal_shares import kinds_of

COLOURS = data_yaml("report", "reply_kinds.yaml")["colours"]
"""The kinds of replies that are not unscored.

What is right is green or blue and what is wrong is warm.
"""
_WORDS = {
    "uncoded_refusal": "right refusal",
    "unscored_answerable": "unscored",
    "unscored_unanswerable": "unscored",
}


def reply_kinds(rows: "pd.DataFrame") -> NDArray[Any]:
    """Return the kind of each reply of `nq` or `garage`, shape (n,), as text; `error`
    without a score.

    Where no codes were asked for, any refusal that is due is a `right refusal`.
    """
    kinds = []
    for kind in kinds_of(rows):
        words = _WORDS.get(kind, kind).replace("_", " ")
        kinds.append(words or "error")
    return np.array(kinds, dtype=object)


def hedging_kinds(rows: "pd.DataFrame") -> NDArray[Any]:
    """Return the kind of each reply of `bluff`, shape (n,), as text; `error` without a
    score.
    """
    correct = rows["correctness"].to_numpy()
    outcome = rows["outcome"].to_numpy()
    kinds = {
        "no reply": outcome == "no_reply",
        "unscored": outcome == "unscored",
        "error": outcome != "decided",
        "refusal": (rows["refused"] == 1).to_numpy(),
        "ungraded answer": np.isnan(correct),
        "wrong answer": correct < WRONG_BELOW,
    }
    return np.select(
        list(kinds.values()),
        list(kinds),
        "right answer",
    ).astype(object)
