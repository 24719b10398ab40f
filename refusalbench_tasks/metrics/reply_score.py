"""What is noted of a decided reply: the numbers, label and reason that its row in the
table of replies is made from.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.outcome import is_right, reply_outcome
from refusalbench_tasks.replies.citations import count_citations
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.replies.decision import ReplyDecision
from refusalbench_tasks.taxonomy import REFUSAL, Label

_CITATIONS = ("citations", "citations_existing", "citations_signal")


@dataclass(frozen=True)
class ReplyScore:
    """The score of one reply, with the fields of Inspect's `Score`, without Inspect."""

    value: Mapping[str, float]
    answer: str | None
    explanation: str | None
    reason: str | None
    metadata: Mapping[str, Any]


def reply_score(
    item: RefusalItem,
    decision: ReplyDecision,
    graded: Mapping[str, float],
    codes: bool = True,
    grounded: bool = False,
) -> ReplyScore:
    """Return the numbers of a decided reply; its label is the answer, and who decided
    is in the metadata.

    `item` has the passages that were seen, `graded` what a grader measured. With
    `grounded` the citations of an answer are counted.
    """
    outcome = reply_outcome(decision.reason)
    # what the model failed to give is no refusal, no hit and not right; what we could
    # not measure is unknown
    nothing = 0.0 if outcome == "no_reply" else None
    values: dict[str, float | None] = dict.fromkeys(
        ("refused", "hit", "right", "asks_back"), nothing
    )
    label = decision.label
    if label is not None:
        values["refused"] = label.is_refusal
        values["hit"] = label is item.expected
        values["right"] = reply_right(item, decision, codes)
        values["asks_back"] = decision.asks_back
    if item.answerable or not (codes and decision.coded):
        values["hit"] = None
    values["asks_about_the_ambiguity"] = decision.asks_about_the_ambiguity
    measured = (
        ("eligible", "factual_all", "factual_relevant") if grounded else ("grade",)
    )
    values |= {name: graded.get(name) for name in measured}
    if grounded:
        counts: Sequence[int | None] = (None, None, None)
        if label is Label.ANSWER:
            seen = len(item.passages)
            counts = count_citations(decision.body, seen, item.signal)
        values |= zip(_CITATIONS, counts, strict=True)
    values["confidence"] = MIDPOINTS[decision.level] if decision.level else None
    values["unscored"] = outcome == "unscored"
    notes: dict[str, Any] = {
        "decided_by": decision.decided_by,
        "form": decision.form,
        "level": decision.level,
    }
    if not codes:
        notes["codes"] = False
    return ReplyScore(
        {name: score_number(value) for name, value in values.items()},
        given_label(decision, codes) or None,
        decision.explanation or None,
        decision.reason,
        notes,
    )


def reply_right(
    item: RefusalItem,
    decision: ReplyDecision,
    codes: bool,
) -> bool | None:
    """Return whether a reply is right; None if that is unknown.

    One that the model failed to give is not.
    """
    if reply_outcome(decision.reason) == "no_reply":
        return False
    return is_right(
        item.expected,
        decision.label,
        decision.correct,
        codes,
        decision.coded,
    )


def given_label(decision: ReplyDecision, codes: bool) -> str:
    """Return what a reply was found to be: an answer, its code, `REFUSAL` if nobody
    read one, empty if undecided.
    """
    if decision.label is None:
        return ""
    if decision.label.is_refusal and not (codes and decision.coded):
        return REFUSAL
    return decision.label.value


def score_number(value: float | None) -> float:
    """Return a value as the number of a score; NaN if it is unknown."""
    return math.nan if value is None else float(value)
