"""What kind of reply each is, in words."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW
from refusalbench_tasks.metrics.refusal_shares import kinds_of

_TEXTS = data_yaml("report", "reply_kinds.yaml")
COLOURS = _TEXTS["colours"]
"""The kinds of replies, in the words of who runs a system."""
PATTERNS = _TEXTS["patterns"]
WORTH = _TEXTS["worth"]
"""What each kind is worth; NaN where nobody knows."""
_WORDS = {
    "good_answer": "answered right",
    "correct_code_refusal": "declined, right code",
    "uncoded_refusal": "declined rightly",
    "wrong_code_refusal": "declined, wrong code",
    "poor_answer": "answered wrong",
    "false_refusal": "declined wrongly",
    "missed_refusal": "made up",
    "no_reply": "no reply",
    "ungraded_answer": "answered, ungraded",
    "unscored_answerable": "undecided",
    "unscored_unanswerable": "undecided",
    "": "ended in error",
}


def meanings(kinds: Iterable[str]) -> str:
    """Return what a caption goes on to say of some kinds."""
    texts = _TEXTS["meanings"]
    return "".join(f"; {kind}: {texts[kind]}" for kind in kinds if kind in texts)


def reply_kinds(rows: "pd.DataFrame") -> NDArray[Any]:
    """Return the kind of each reply of `nq` or `garage`, shape (n,), as text.

    Where no codes were asked for, any refusal that is due is `declined rightly`.
    """
    return np.array(kinds_of(rows).map(_WORDS))


def hedging_kinds(rows: "pd.DataFrame") -> NDArray[Any]:
    """Return the kind of each reply of `bluff`, shape (n,), as text."""
    correct = rows["correctness"].to_numpy()
    outcome = rows["outcome"].to_numpy()
    kinds = {
        "no reply": outcome == "no_reply",
        "undecided": outcome == "unscored",
        "ended in error": outcome != "decided",
        "declined": (rows["refused"] == 1).to_numpy(),
        "answered, ungraded": np.isnan(correct),
        "answered wrong": correct < WRONG_BELOW,
    }
    return np.select(
        list(kinds.values()),
        list(kinds),
        "answered right",
    ).astype(object)
