"""What is decided about a reply without a grader: by its form and the row's gold
answers, and offline by its words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.outcome import DecidedBy, JudgeMode, Reason
from refusalbench_tasks.taxonomy import Label

from .alias import equals_alias
from .code import Form, parse_reply
from .confidence import (
    ConfidentReply,
    Level,
    split_confidence,
)
from .readers import DEFAULT_READER, find_reader
from .reading import ReplyReading
from .typed_answer import typed_verdict


@dataclass(frozen=True)
class ReplySettings:
    """How replies are read before a grader is asked, and whether one may be."""

    judge: JudgeMode = "cascade"
    confidence: bool = False
    """Whether a level of confidence was asked for with the reply."""
    codes: bool = True
    """Whether refusal codes were asked for."""
    phrases: Sequence[str] = ()
    """Phrases by which a system refuses; offline alone."""
    reader: str = DEFAULT_READER
    """What tells answers from refusals; offline alone."""


@dataclass(frozen=True)
class ReplyDecision:
    """What is decided about one reply.

    `label` and `reason` are never both set; both are None while it is open.
    """

    body: str
    form: Form
    level: Level | None = None
    label: Label | None = None
    correct: bool | None = None
    """Whether an attempt on an answerable row is right; None if that does not apply or
    is unknown.
    """
    coded: bool = True
    """Whether the code of a refusal is known: not that of one in words which no grader
    read.
    """
    asks_back: bool | None = None
    """Whether a refusal asks the user back; None if that is unknown."""
    asks_about_the_ambiguity: bool | None = None
    """Whether it asks about what makes its row ambiguous; None if no grader said so."""
    decided_by: DecidedBy | None = None
    reason: Reason | None = None
    explanation: str = ""

    @property
    def open(self) -> bool:
        """Whether a judge has to decide."""
        return self.label is None and self.reason is None


def decide_by_form(
    item: RefusalItem,
    reply: str,
    stop: str,
    settings: ReplySettings,
) -> ReplyDecision:
    """Return the decision that needs no model, open if a judge has to read the reply.

    `stop` is Inspect's stop reason. A safety stop, a cut-off reply and an empty reply
    are none, whatever text they carry. `offline` also reads free text (`ReadReply`)
    and leaves nothing open: an answer that is not plainly the gold one is decided and
    ungraded, and a refusal in words has no known code. Raises DataError for a reader
    that is unknown or not installed.
    """
    split = ConfidentReply(reply, None)
    if settings.confidence:
        split = split_confidence(reply)
    parsed = parse_reply(split.body)
    decision = ReplyDecision(
        split.body,
        parsed.form,
        split.level,
    )
    reason = no_reply_reason(stop, parsed.form)
    if reason is not None:
        return replace(decision, reason=reason)
    if settings.judge == "always":
        return decision
    if parsed.label is not None:
        why = "a bare refusal code"
        return replace(
            decision,
            label=parsed.label,
            asks_back=False,
            decided_by="parse",
            explanation=why,
        )
    right = None
    if parsed.form == "free text" and item.answer_type:
        right = typed_verdict(
            split.body,
            item.answer_type,
            item.answers,
        )
    if right is not None:
        which = "the" if right else "another"
        return replace(
            decision,
            label=Label.ANSWER,
            correct=right if item.answerable else None,
            asks_back=False,
            decided_by="type",
            explanation=f"gives {which} {item.answer_type}",
        )
    if settings.judge == "offline":
        return _decide_by_words(item, decision, settings)
    return decision


def no_reply_reason(stop: str | None, form: Form) -> Reason | None:
    """Return why a reply is no usable one; None for one that is.

    `stop` is Inspect's stop reason, None where it is not known.
    """
    if stop == "content_filter":
        return "provider_refusal"
    if stop in ("max_tokens", "model_length"):
        return "truncated"
    return "no_response" if form == "empty" else None


def why_undecided(reading: ReplyReading) -> str:
    """Return in words why a reader could not decide a reply."""
    if reading.decided_by == "form":
        return "neither one answer nor one refusal by its form"
    return "the reader is not sure"


def _decide_by_words(
    item: RefusalItem,
    decision: ReplyDecision,
    settings: ReplySettings,
) -> ReplyDecision:
    """Return the decision on free text that is read without a grader."""
    read_reply = find_reader(settings.reader)
    read = read_reply(
        decision.body,
        question=item.query,
        gold=item.references,
        refusals=settings.phrases,
        context=item.passages,
    )
    if read.kind == "undecided":
        why = why_undecided(read)
        return replace(
            decision,
            reason="undecided_offline",
            explanation=why,
        )
    if read.kind != "answer":
        asks_back = read.kind == "clarification"
        what = "asks back" if asks_back else "refuses"
        return replace(
            decision,
            label=read.code or Label.OTHER,
            coded=read.code is not None or not settings.codes,
            asks_back=asks_back,
            decided_by="parse" if read.code else "reading",
            explanation=f"{what}, by its {read.decided_by}",
        )
    return _read_as_answer(item, decision, read)


def _read_as_answer(
    item: RefusalItem,
    decision: ReplyDecision,
    read: ReplyReading,
) -> ReplyDecision:
    """Return the decision on a reply that was read as an answer."""
    # a long reference shows that an equal reply is right; that a reply names an alias
    # shows only that it answers
    sure = not item.reference or equals_alias(decision.body, item.references)
    answer = replace(
        decision,
        label=Label.ANSWER,
        asks_back=False,
        correct=read.right if item.answerable and sure else None,
    )
    if read.right is False:
        why = "gives another value than the gold answer"
        return replace(
            answer,
            decided_by="type",
            explanation=why,
        )
    return replace(
        answer,
        decided_by="alias" if read.right else "reading",
        explanation=f"answers, by its {read.decided_by}",
    )
