"""What was decided about one reply, by whom, or why nothing could be decided."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.label import Vote
from refusalbench_tasks.judging.rubric import Numbers, Rubric
from refusalbench_tasks.outcome import DecidedBy, JudgeMode, Reason
from refusalbench_tasks.replies.alias import equals_alias, gives_alias
from refusalbench_tasks.replies.code import Form, parse_reply
from refusalbench_tasks.replies.confidence import Level, split_confidence
from refusalbench_tasks.taxonomy import Label


@dataclass(frozen=True)
class Decision:
    """The outcome of scoring one reply. `label` and `reason` are never both set; both are None while it is open."""

    body: str
    form: Form
    level: Level | None = None
    label: Label | None = None
    correct: bool | None = None
    """Whether an attempt on an answerable row is right; None if that does not apply or is unknown."""
    numbers: Numbers = field(default_factory=dict)
    """What the rubric measured on an attempt."""
    decided_by: DecidedBy | None = None
    reason: Reason | None = None
    explanation: str = ""
    votes: tuple[Vote, ...] = ()
    self_graded: bool = False

    @property
    def open(self) -> bool:
        """Whether a judge has to decide."""
        return self.label is None and self.reason is None


def decide_by_form(item: RefusalItem, reply: str, stop: str, mode: JudgeMode, confidence: bool) -> Decision:
    """Return the decision that needs no model, open if a judge has to read the reply.

    `stop` is Inspect's stop reason. A safety stop, a cut-off reply and an empty reply are unscored, whatever text
    they carry. `offline` also decides by alias, and leaves nothing open.
    """
    said = split_confidence(reply) if confidence else None
    body = said.body if said else reply
    parsed = parse_reply(body)
    decision = Decision(body, parsed.form, said.level if said else None)
    if stop == "content_filter":
        return replace(decision, reason="provider_refusal")
    if stop in ("max_tokens", "model_length"):
        return replace(decision, reason="truncated")
    if parsed.form == "empty":
        return replace(decision, reason="no_response")
    if mode != "always" and parsed.label is not None:
        return replace(decision, label=parsed.label, decided_by="parse", explanation="a bare refusal code")
    if mode != "offline":
        return decision
    if parsed.form == "free text" and gives_alias(body, item.references, item.query):
        # a long reference shows that an equal reply is right; that a reply names an alias shows only that it answers
        sure = equals_alias(body, item.references) or not item.reference
        right = True if item.answerable and sure else None
        return replace(
            decision, label=Label.ANSWER, correct=right, decided_by="alias", explanation="gives a gold alias"
        )
    return replace(decision, reason="undecided_offline")


def decide_by_votes(
    decision: Decision, votes: Sequence[Vote], rubric: Rubric, answerable: bool, self_graded: bool = False
) -> Decision:
    """Return the decision of a panel: the label of a strict majority of the valid votes, the medians of its numbers.

    One grader is a panel of one. No grader is `no_grader`, no valid vote `grader_failed`, no majority
    `grader_disagreement`.
    """
    decision = replace(decision, votes=tuple(votes), self_graded=self_graded)
    if not votes:
        return replace(decision, reason="no_grader", explanation="bind a model to the role 'grader'")
    valid = [vote for vote in votes if vote.label is not None]
    if not valid:
        failures = "; ".join(f"{vote.grader}: {vote.failure}" for vote in votes)
        return replace(decision, reason="grader_failed", explanation=failures)
    label, support = Counter(vote.label for vote in valid).most_common(1)[0]
    if 2 * support <= len(valid):
        return replace(decision, reason="grader_disagreement", explanation="the panel has no majority")
    winners = [vote for vote in valid if vote.label is label]
    keys = winners[0].numbers if answerable and label is Label.ANSWER else ()
    numbers = {key: float(median(vote.numbers[key] for vote in winners if key in vote.numbers)) for key in keys}
    return replace(
        decision,
        label=label,
        numbers=numbers,
        correct=rubric.right(numbers) if numbers else None,
        decided_by="judge",
        explanation=winners[0].explanation,
    )
