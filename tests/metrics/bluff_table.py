"""Tables of replies to BLUFF-1000 by hand: a right answer of ten words with a
confidence of .5, or another.
"""

import math
from typing import Any

import pandas as pd

from refusalbench_tasks.metrics.hedging_table import hedging_table
from refusalbench_tasks.outcome import reply_outcome

NAN = math.nan
ANSWER: dict[str, Any] = {
    "refused": 0.0,
    "correctness": 1.0,
    "confidence": 0.5,
    "hedges": 0.0,
    "boosters": 0.0,
    "words": 10.0,
}
REFUSAL: dict[str, Any] = {"refused": 1.0, "correctness": NAN}
ARMS = ("clear", "ambiguous")


def reply(item: str, arm: str, reason: str = "", **told: Any) -> dict[str, Any]:
    """Return a row; one with a reason has no numbers but those that are told."""
    outcome = reply_outcome(reason)
    numbers = {} if reason else ANSWER
    about = {
        "item": item,
        "cluster": item,
        "arm": arm,
        "outcome": outcome,
        "reason": reason,
        "protocol": "paper",
    }
    return {
        **about,
        "cluster_by": "question",
        "unscored": outcome == "unscored",
        **numbers,
        **told,
    }


def table(*rows: dict[str, Any], **same: Any) -> pd.DataFrame:
    """Return the table of rows, all with what is the `same`."""
    return hedging_table({**row, **same} for row in rows)
