"""What kind of reply each is, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW
from refusalbench_tasks.metrics.refusal_shares import kinds_of

if TYPE_CHECKING:
    import pandas as pd

COLOURS: Mapping[str, str] = {
    "answered right": "#009e73",
    "declined, right code": "#7fcdbb",
    "declined rightly": "#0072b2",
    "declined, wrong code": "#56b4e9",
    "answered wrong": "#cc79a7",
    "declined wrongly": "#e69f00",
    "made up": "#d55e00",
    "silent": "#4d4d4d",
    "answered, not graded": "#8a8f98",
    "undecided": "#b5bac1",
    "failed": "#5f646b",
}
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
