"""The replies to BLUFF-1000 as one table: a row a reply, a column whatever metrics,
reports and comparisons read.
"""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from refusalbench_tasks.outcome import reply_outcome

from .reply_columns import (
    Facts,
    frame_of,
    number,
    numbers_of,
    texts_of,
)

if TYPE_CHECKING:
    from inspect_ai.scorer import Score


PAIRED = ("clear", "ambiguous")
"""The two arms that the paper compares, and of which its metrics are."""
_PERCENTILE = 20
MEASURED = (
    "refused",
    "correctness",
    "confidence",
    "hedges",
    "hedge_strength",
    "boosters",
    "words",
    "overlap",
    "attribution",
    "hallucination",
    "grounding",
    "faithfulness",
)
"""The numbers of a score; NaN where one is unknown."""
NOTED = ("quality", "hosts", "confidence_mass", "decisiveness")
"""Numbers from a score's notes: of the sources, of the question for confidence, and of
the grader.
"""
_OF_ROW = ("topic", "ambiguity", "ambiguity_kind", "conflict_about")
_OF_GRADING = ("named", "judge", "decided_by", "grader_check")
_TEXTS = (
    "item",
    "cluster",
    "arm",
    *_OF_ROW,
    "outcome",
    "reason",
    "confidence_missing",
    "lexicon",
    "protocol",
    "cluster_by",
    *_OF_GRADING,
)
_FLAGS = ("unscored", "refusal_in_text", "wording_judged", "self_graded")
BLANK = {
    **dict.fromkeys(_TEXTS, ""),
    "epoch": 1,
    **dict.fromkeys((*MEASURED, *NOTED, "confidence_p20"), math.nan),
    **dict.fromkeys(_FLAGS, False),
    "factors": {},
    "terms": {},
    "graders": (),
}
"""The columns of the table, as they are where nothing is known.

`item` is the pair of source sets, `cluster` the question, which is asked and resampled.
"""
TOLERATED = 0.1
"""A larger share of replies without a confidence is warned about."""


def hedging_row(metadata: Facts, score: "Score") -> dict[str, Any]:
    """Return the row of one sample's metadata and its `hedging_scores`, by the names of
    `BLANK`.

    Raises KeyError for metadata that is none of BLUFF-1000's.
    """
    numbers = score.value if isinstance(score.value, Mapping) else {}
    notes = score.metadata or {}
    asked = notes.get("confidence") or {}
    item = str(metadata["source_id"])
    outcome = reply_outcome(score.reason)
    lists = notes.get("word_lists") or {}
    lexicon = str(lists.get("hedges", ""))
    sha256 = str(lists.get("hedges_sha256", ""))
    # lists of one name may differ
    if sha256 and lexicon != "v1":
        lexicon += f" ({sha256[:8]})"
    return {
        **texts_of(metadata, _OF_ROW),
        **texts_of(notes, _OF_GRADING),
        **numbers_of(numbers, MEASURED),
        **numbers_of(notes, NOTED),
        "item": item,
        "cluster": str(metadata.get("question_id") or item),
        "arm": str(metadata["arm"]),
        "outcome": outcome,
        "reason": score.reason or "",
        "confidence_missing": str(asked.get("missing") or ""),
        "lexicon": lexicon,
        "protocol": notes.get("protocol") or "paper",
        "cluster_by": notes.get("cluster") or "question",
        "epoch": int(notes.get("epoch", 1)),
        "confidence_mass": number(asked.get("mass")),
        "unscored": outcome == "unscored",
        "refusal_in_text": bool(notes.get("refusal_in_text")),
        "wording_judged": "decisiveness" in notes,
        "self_graded": bool(notes.get("self_graded")),
        "factors": dict(metadata.get("factors") or {}),
        "terms": dict(notes.get("terms") or {}),
        "graders": tuple(map(str, notes.get("graders") or ())),
    }


def hedging_table(rows: Iterable[Facts]) -> "pd.DataFrame":
    """Return rows of one run as a frame with the columns of `BLANK`, others behind.

    `confidence_p20` is the 20th percentile of the confidences under the paper's two
    arms, of all these rows: it stays what it is where a part of them is looked at.
    """
    table = frame_of(rows, BLANK)
    confidences = table.loc[table["arm"].isin(PAIRED), "confidence"].dropna()
    if len(confidences):
        table["confidence_p20"] = np.percentile(confidences, _PERCENTILE)
    return table


def missing_confidences(table: "pd.DataFrame") -> str | None:
    """Return a sentence if more than a tenth of a table's replies lack a confidence
    that was asked for, else None.
    """
    reasons = table["confidence_missing"]
    lost = reasons[~reasons.isin(("", "not_asked"))].value_counts().sort_index()
    if not lost.sum() > TOLERATED * len(table):
        return None
    why = ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in lost.items())
    return f"{lost.sum()} of {len(table)} replies have no confidence ({why})."
