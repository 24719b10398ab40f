"""The replies to BLUFF-1000 as one table: a row a reply, a column whatever metrics, reports and comparisons read."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.outcome import reply_outcome

if TYPE_CHECKING:
    import pandas as pd
    from inspect_ai.scorer import SampleScore, Score

MEASURED = (
    "refused", "correctness", "confidence", "hedges", "hedge_strength", "boosters", "words",
    "overlap", "attribution", "hallucination", "grounding", "faithfulness",
)  # fmt: skip
"""The numbers of a score; NaN where one is unknown."""
NOTED = ("quality", "hosts", "confidence_mass", "decisiveness", "position_bias")
"""Numbers from a score's notes: of the sources, of the question for confidence, and of the grader."""
TEXTS = (
    "item", "question", "arm", "topic", "ambiguity", "ambiguity_kind", "conflict_about", "outcome", "reason",
    "confidence_missing", "named", "lexicon", "protocol", "judge", "cluster_by", "decided_by",
)  # fmt: skip
"""Texts, empty where unknown. `item` is the pair of source sets, `question` what is asked and resampled."""
FLAGS = ("unscored", "refusal_in_text", "wording_judged", "self_graded")
HELD = ("factors", "terms", "graders")
"""Columns of mappings and tuples."""
COLUMNS: Mapping[str, type[Any]] = {
    **dict.fromkeys(TEXTS, object),
    "epoch": int,
    **dict.fromkeys((*MEASURED, *NOTED), float),
    **dict.fromkeys(FLAGS, bool),
    **dict.fromkeys(HELD, object),
}
_BLANK: Mapping[str, Any] = {
    **dict.fromkeys(TEXTS, ""), "epoch": 1, **dict.fromkeys((*MEASURED, *NOTED), math.nan),
    **dict.fromkeys(FLAGS, False), "factors": {}, "terms": {}, "graders": (),
}  # fmt: skip

TOLERATED = 0.1
"""A larger share of replies without a confidence is warned about."""


def hedging_row(metadata: Mapping[str, Any], score: "Score") -> dict[str, Any]:
    """Return the row of one sample's metadata and its `hedging_scores`, by the names of `COLUMNS`.

    Raises KeyError for metadata that is none of BLUFF-1000's.
    """
    numbers: Any = score.value if isinstance(score.value, Mapping) else {}
    notes: Mapping[str, Any] = score.metadata or {}
    asked, item, outcome = notes.get("confidence") or {}, str(metadata["source_id"]), reply_outcome(score.reason)
    return {
        **{name: _text(metadata.get(name)) for name in ("topic", "ambiguity", "ambiguity_kind", "conflict_about")},
        **{name: _text(notes.get(name)) for name in ("named", "judge", "decided_by")},
        **{name: _number(numbers.get(name)) for name in MEASURED},
        **{name: _number(notes.get(name)) for name in ("quality", "hosts", "decisiveness")},
        "item": item,
        "question": _text(metadata.get("question_id")) or item,
        "arm": str(metadata["arm"]),
        "outcome": outcome,
        "reason": _text(score.reason),
        "confidence_missing": _text(asked.get("missing")),
        "lexicon": _lexicon(notes.get("word_lists") or {}),
        "protocol": _text(notes.get("protocol")) or "paper",
        "cluster_by": _text(notes.get("cluster")) or "question",
        "epoch": int(notes.get("epoch", 1)),
        "confidence_mass": _number(asked.get("mass")),
        "position_bias": _bias(asked.get("orders") or ()),
        "unscored": outcome == "unscored",
        "refusal_in_text": bool(notes.get("refusal_in_text")),
        "wording_judged": "decisiveness" in notes,
        "self_graded": bool(notes.get("self_graded")),
        "factors": _mapping(metadata.get("factors")),
        "terms": _mapping(notes.get("terms")),
        "graders": tuple(map(str, notes.get("graders") or ())),
    }


def hedging_table(rows: Iterable[Mapping[str, Any]]) -> "pd.DataFrame":
    """Return rows as a frame with the columns of `COLUMNS`, also without rows; further columns follow as they are.

    What a row has not is blank, NaN or False there, as of a sample that ended in an error.
    """
    import pandas as pd

    filled = [{**_BLANK, **row} for row in rows]
    table = pd.DataFrame(filled, columns=None if filled else [*COLUMNS])
    return table.astype(dict(COLUMNS))


def of_scores(scores: Sequence["SampleScore"]) -> "pd.DataFrame":
    """Return the table of Inspect's unreduced scores, a row an epoch."""
    return hedging_table(hedging_row(sample.sample_metadata or {}, sample.score) for sample in scores)


def missing_confidences(table: "pd.DataFrame") -> str | None:
    """Return a sentence if more than a tenth of a table's replies lack a confidence that was asked for, else None."""
    reasons = table["confidence_missing"]
    lost = reasons[~reasons.isin(("", "not_asked"))].value_counts().sort_index()
    if not lost.sum() > TOLERATED * len(table):
        return None
    why = ", ".join(f"{reason.replace('_', ' ')} {n}" for reason, n in lost.items())
    return f"{lost.sum()} of {len(table)} replies have no confidence ({why})."


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _mapping(value: Any) -> dict[str, Any]:
    return {str(name): one for name, one in value.items()} if isinstance(value, Mapping) else {}


def _bias(orders: Sequence[float]) -> float:
    return float(orders[0]) - float(orders[1]) if len(orders) == 2 else math.nan


def _lexicon(lists: Mapping[str, Any]) -> str:
    """Return the name of the list of hedges with the start of its file's hash: lists of one name may differ."""
    name, sha256 = str(lists.get("hedges", "")), str(lists.get("hedges_sha256", ""))
    return f"{name} ({sha256[:8]})" if sha256 and name != "v1" else name
