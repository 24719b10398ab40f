"""What kind of reply each is, in words."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW
from refusalbench_tasks.metrics.refusal_shares import kinds_of

COLOURS = data_yaml("report", "reply_kinds.yaml")["colours"]
"""The kinds of replies, in the words of who runs a system.

What is right is green or blue, what is wrong warm, and what is not known grey.
"""
UNKNOWN = ("answered, not graded", "undecided", "failed")
"""The kinds of which nobody knows whether they are right."""
_WORDS = {
    "good_answer": "answered right",
    "correct_code_refusal": "declined, right code",
    "uncoded_refusal": "declined rightly",
    "wrong_code_refusal": "declined, wrong code",
    "poor_answer": "answered wrong",
    "false_refusal": "declined wrongly",
    "missed_refusal": "made up",
    "no_reply": "silent",
    "ungraded_answer": "answered, not graded",
    "unscored_answerable": "undecided",
    "unscored_unanswerable": "undecided",
    "": "failed",
}


def reply_kinds(rows: "pd.DataFrame") -> NDArray[Any]:
    """Return the kind of each reply of `nq` or `garage`, shape (n,), as text; `failed`
    without a score.

    Where no codes were asked for, any refusal that is due is `declined rightly`.
    """
    return np.array(kinds_of(rows).map(_WORDS))


def hedging_kinds(rows: "pd.DataFrame") -> NDArray[Any]:
    """Return the kind of each reply of `bluff`, shape (n,), as text; `failed` without a
    score.
    """
    correct = rows["correctness"].to_numpy()
    outcome = rows["outcome"].to_numpy()
    kinds = {
        "silent": outcome == "no_reply",
        "undecided": outcome == "unscored",
        "failed": outcome != "decided",
        "declined": (rows["refused"] == 1).to_numpy(),
        "answered, not graded": np.isnan(correct),
        "answered wrong": correct < WRONG_BELOW,
    }
    return np.select(
        list(kinds.values()),
        list(kinds),
        "answered right",
    ).astype(object)
