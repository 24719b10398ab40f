"""The metrics of searching, one row each: when an agent gives up, and what it answers
from.

docs/search.md defines them.
"""

from collections.abc import Mapping

import pandas as pd

from refusalbench_tasks.metrics.metric_rows import metric_rows
from refusalbench_tasks.taxonomy import Label

Part = tuple[pd.Series, pd.Series]
Parts = Mapping[str, Part]

COLUMNS = (
    "searches",
    "evidence_shown",
    "shown_at",
    "repeated_queries",
    "malformed_calls",
)
"""What `search_scores` adds to a score: searches, whether the evidence was shown and at
which search, and how often a query or a call was of no use.
"""
METRICS = metric_rows("search", {})


def row_shares(rows: "pd.DataFrame") -> Parts:
    """Return the parts of each metric for every reply.

    `premature_refusal` and `refusal_despite_evidence` add up to the rate of false
    refusals. A limit and other replies that there are not are in the denominators.
    """
    known = rows["outcome"].isin(["decided", "no_reply"])
    decided = rows["outcome"] == "decided"
    answered = decided & (rows["predicted"] == Label.ANSWER)
    answerable = known & (rows["expected"] == Label.ANSWER)
    unanswerable = known & ~answerable
    refused = answerable & decided & ~answered
    seen = rows["evidence_shown"] == 1
    unseen = answerable & answered & ~seen
    right = rows["right"]
    graded = answerable & ~(unseen & right.isna())
    parts = {
        "evidence_found": (known & seen, known & rows["evidence_shown"].notna()),
        "premature_refusal": (refused & ~seen, answerable),
        "refusal_despite_evidence": (refused & seen, answerable),
        "answer_without_evidence": (unseen, answerable),
        "right_without_evidence": (unseen & (right == 1), graded),
        "wrong_without_evidence": (unseen & (right == 0), graded),
        "unsupported_answer": (unanswerable & answered, unanswerable),
        "limit_rate": (rows["reason"] == "stopped_by_limit", known),
    }
    for name in ("searches", "repeated_queries", "malformed_calls"):
        parts[name] = (rows[name].fillna(0.0), rows[name].notna())
    after = rows["searches"] - rows["shown_at"]
    parts["searches_after_evidence"] = (after.fillna(0.0), after.notna())
    if "tokens" in rows and rows["tokens"].notna().any():
        spent = rows["tokens"].notna() & right.notna()
        tokens = rows["tokens"].where(spent, 0.0)
        parts["tokens_per_right"] = (tokens, spent & (right == 1))
    return parts


def group_shares(rows: "pd.DataFrame") -> Parts:
    """Return the share of pairs of an answerable and an unanswerable row in which both
    replies are right.

    The two are of one `pair`, or of one base question where the data has no pairs: each
    of its answerable rows with each of the others (our definition). An agent that
    always refuses, or never does, is right in none. Each epoch is apart, and a row that
    is not known to be right or wrong is in no pair.
    """
    group = rows["pair"].where(rows["pair"] != "", rows["cluster"])
    key = group + "#" + rows["epoch"].astype(str)
    right = rows["right"].fillna(0.0)
    graded = rows["right"].notna()
    answerable = rows["expected"] == Label.ANSWER
    totals = {}
    for name, side in (("yes", graded & answerable), ("no", graded & ~answerable)):
        totals[name] = side.astype(float).groupby(key).transform("sum")
        totals[f"right {name}"] = right.where(side, 0.0).groupby(key).transform("sum")
    first = ~key.duplicated()
    pairs = (totals["yes"] * totals["no"]).where(first, 0.0)
    both = (totals["right yes"] * totals["right no"]).where(first, 0.0)
    return {"pair_accuracy": (both, pairs)}
