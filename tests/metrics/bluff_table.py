"""Tables of replies to BLUFF-1000 by hand: a right answer of ten words with a
confidence of .5, or another.
"""

import math
from typing import Any

import pandas as pd

from refusalbench_tasks.metrics.hedging_table import hedging_table
from refusalbench_tasks.outcome import reply_outcome
from refusalbench_tasks.stats.estimate import Estimate

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


PHRASE: dict[str, Any] = {"refusal_in_text": True}
ROWS = (
    reply(
        "a",
        "clear",
        hedges=1,
        correctness=0.2,
        confidence=0.9,
        quality=0.8,
        hosts=5,
        boosters=2,
    ),
    reply(
        "a",
        "ambiguous",
        hedges=2,
        correctness=0.9,
        confidence=0.6,
        quality=0.2,
        hosts=3,
    ),
    reply(
        "b", "clear", correctness=0.1, confidence=0.8, quality=0.6, hosts=4, boosters=1
    ),
    reply("b", "ambiguous", hedges=4, correctness=0.0, confidence=0.3, **PHRASE),
    reply("c", "clear", correctness=0.8, confidence=0.7),
    reply("c", "ambiguous", hedges=5, confidence=NAN, **REFUSAL, **PHRASE),
)


def told(found: dict[str, Estimate], *names: str) -> dict[str, tuple[float, float]]:
    return {name: (found[name].value, found[name].n) for name in names}
