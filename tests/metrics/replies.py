"""Replies for tests of metrics, in few words each."""

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd
from inspect_ai.scorer import Score

from refusalbench_tasks.metrics.reply_table import reply_row, reply_table
from refusalbench_tasks.taxonomy import Label

A = Label.ANSWER
M = Label.MISSING
C = Label.CONTRADICTORY
X = Label.OTHER


def reply(
    expected: Label,
    predicted: Label | str,
    right: bool | None = None,
    cluster: str = "q",
    numbers: dict[str, float] | None = None,
    facts: dict[str, Any] | None = None,
    **notes: Any,
) -> dict[str, Any]:
    """Return a row of the table: a reply with a predicted label, or a reason why
    nothing was decided.
    """
    label = predicted if isinstance(predicted, Label) else None
    value = {
        "right": math.nan if right is None else float(right),
        "unscored": float(label is None),
    }
    score = Score(
        value=value | (numbers or {}),
        answer=label.value if label else None,
        reason=None if label else str(predicted),
        metadata=notes,
    )
    return reply_row(
        {
            "expected": expected.value,
            "source_id": cluster,
            "control": False,
            **(facts or {}),
        },
        score,
    )


def replies(*rows: dict[str, Any]) -> pd.DataFrame:
    """Return rows as a table."""
    return reply_table(rows)


def some(rows: Iterable[tuple[Any, ...]]) -> pd.DataFrame:
    """Return the table of rows that are each the first arguments of `reply`."""
    return reply_table(reply(*row) for row in rows)
