"""One reply beside its gold label."""

from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.taxonomy import Label

Protocol = Literal["paper", "official-code"]
JudgeMode = Literal["cascade", "always", "offline"]
HedgingMode = Literal["list", "judge"]
"""How hedging is measured: by the list of terms, or by it and the grader."""
Cluster = Literal["question", "row"]
"""What standard errors and intervals resample: base questions, or rows as if they were independent."""
DecidedBy = Literal["parse", "alias", "type", "judge"]
Reason = Literal[
    "no_reply",  # a file of replies has none for the row
    "no_response",  # the reply is empty
    "truncated",  # the reply was cut off by a token limit
    "provider_refusal",  # the provider's own safety stop, none of our codes
    "undecided_offline",  # judge=offline, and neither form nor aliases decide
    "no_grader",  # a judge is needed and there is none
    "grader_failed",  # no grader gave a valid verdict
    "grader_disagreement",  # the panel has no majority
    "scoring_failed",  # our own code could not take the text; what went wrong is in the explanation
]

ReplyOutcome = Literal["decided", "no_reply", "unscored"]
"""Whether a reply is known: `no_reply` is the model's doing and counts against it, `unscored` is that of measuring."""
_NO_REPLY = frozenset({"no_response", "truncated", "provider_refusal"})


def reply_outcome(reason: str | None) -> ReplyOutcome:
    """Return the outcome of a reply that is undecided for a `Reason`, or decided without one.

    A row that a file of replies leaves out (`no_reply`) was never asked, so the model is not to blame: unscored.
    """
    return "decided" if not reason else "no_reply" if reason in _NO_REPLY else "unscored"


def is_right(expected: Label, predicted: Label | None, correct: bool | None, codes: bool = True) -> bool | None:
    """Return whether a decided reply is right: a correct answer, or the gold code (any refusal without codes).

    `correct` says whether an attempt on an answerable row is right, None if that is unknown. None if nothing was
    decided.
    """
    if predicted is None:
        return None
    if expected is Label.ANSWER:
        return False if predicted.is_refusal else correct
    return predicted is expected if codes else predicted.is_refusal


@dataclass(frozen=True, slots=True)
class Outcome:
    """One reply beside its gold label.

    `predicted` is None if nobody could decide what the reply is; `correct` says whether an attempt on an
    answerable row is right (NQ: grade of at least 4) and is None if that is unknown or does not apply.
    `cluster` names the source question: rows made from the same question are not independent.
    """

    expected: Label
    predicted: Label | None
    correct: bool | None
    cluster: str
    codes: bool = True
    """Whether refusal codes were asked for; if not, a refusal has no category, and any refusal that is due is right."""

    @property
    def given(self) -> str:
        """Return what the reply was found to be, as readers are told it: blank if undecided.

        Without codes a refusal has no name but `REFUSAL`.
        """
        if self.predicted is None:
            return ""
        return self.predicted.value if self.codes or self.predicted is Label.ANSWER else "REFUSAL"

    @property
    def right(self) -> bool | None:
        """Whether the reply is right: a correct attempt, or the gold code (any refusal without codes); else None."""
        if self.predicted is None:
            return None
        if self.expected is Label.ANSWER:
            return False if self.predicted.is_refusal else self.correct
        return self.predicted is self.expected if self.codes else self.predicted.is_refusal
