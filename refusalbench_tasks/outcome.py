"""What a reply can come to, and the settings that decide it."""

from typing import Literal

from refusalbench_tasks.taxonomy import Label

Protocol = Literal["paper", "official-code"]
JudgeMode = Literal["cascade", "always", "offline"]
GraderCheck = Literal["stop", "warn", "off"]
"""What a grader that misreads known replies does to a run: end it, warn, or nothing, as
nobody asks.
"""
HedgingMode = Literal["list", "judge"]
"""How hedging is measured: by the list of terms, or by it and the grader."""
Retrieve = Literal["bm25", "e5"]
"""How passages are retrieved: by words, or by meaning."""
Cluster = Literal["question", "row"]
"""What standard errors and intervals resample: base questions, or rows as if they were
independent.
"""
DecidedBy = Literal["parse", "alias", "type", "reading", "judge"]
"""`reading` is what the n-gram model of `read_reply` says, offline alone."""
Reason = Literal[
    "not_in_file",  # a file of replies has none for the row
    "no_response",  # the reply is empty, or nothing but citations
    "truncated",  # the reply was cut off by a token limit
    # a limit of messages, tokens, time or cost stopped the agent before it replied
    "stopped_by_limit",
    "provider_refusal",  # the provider's own safety stop, none of our codes
    # judge=offline, and the reply is not plainly an answer or a refusal
    "undecided_offline",
    "no_grader",  # a judge is needed and there is none
    "grader_failed",  # no grader gave a valid verdict
    "grader_disagreement",  # the panel has no majority
    # our own code could not take the text; what went wrong is in the explanation
    "scoring_failed",
]

ReplyOutcome = Literal["decided", "no_reply", "unscored"]
"""Whether a reply is known: `no_reply` is the model's doing and counts against it,
`unscored` is that of measuring.
"""
_NO_REPLY = frozenset(
    {"no_response", "truncated", "stopped_by_limit", "provider_refusal"}
)


def reply_outcome(reason: str | None) -> ReplyOutcome:
    """Return the outcome of a reply that is undecided for a `Reason`, or decided
    without one.

    A row that a file of replies leaves out (`not_in_file`) was never asked, so the
    model is not to blame: unscored.
    """
    if not reason:
        return "decided"
    return "no_reply" if reason in _NO_REPLY else "unscored"


def is_right(
    expected: Label,
    predicted: Label | None,
    correct: bool | None,
    codes: bool = True,
    coded: bool = True,
) -> bool | None:
    """Return whether a decided reply is right: a correct answer, or the gold code (any
    refusal without codes).

    `correct` says whether an attempt on an answerable row is right, None if that is
    unknown; `coded`, whether the code of a refusal is known. None if nothing was
    decided.
    """
    if predicted is None:
        return None
    if expected is Label.ANSWER:
        return False if predicted.is_refusal else correct
    if not codes:
        return predicted.is_refusal
    return predicted is expected if coded or not predicted.is_refusal else None
