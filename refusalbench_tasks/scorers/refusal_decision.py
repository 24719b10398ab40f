"""What was decided about one reply, by form, else by the judge, or why nothing could
be; once for all scorers.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median

from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError, collect

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import CallFailed, stop_of
from refusalbench_tasks.judging.failure_row import count_verdict
from refusalbench_tasks.judging.graders import find_graders
from refusalbench_tasks.judging.grounding import grounding_rubric
from refusalbench_tasks.judging.label import (
    LABEL_ONLY,
    Numbers,
    Rubric,
    Vote,
    grade_rubric,
    judge_reply,
)
from refusalbench_tasks.judging.released_judge import released_vote
from refusalbench_tasks.outcome import DecidedBy, Reason
from refusalbench_tasks.replies.alias import equals_alias
from refusalbench_tasks.replies.code import Form, parse_reply
from refusalbench_tasks.replies.confidence import Level, split_confidence
from refusalbench_tasks.replies.outside_text import problem_of, reply_of
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.typed_answer import typed_verdict
from refusalbench_tasks.scorers.refusal_settings import OURS, DecisionSettings
from refusalbench_tasks.scorers.shared_result import carried
from refusalbench_tasks.solvers.recorded import has_no_reply
from refusalbench_tasks.solvers.retrieved import seen_item
from refusalbench_tasks.solvers.sample_limit import stopped_by_limit
from refusalbench_tasks.taxonomy import Label


@dataclass(frozen=True)
class Decision:
    """The outcome of scoring one reply.

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
    numbers: Numbers = field(default_factory=dict)
    """What the rubric measured on an attempt."""
    decided_by: DecidedBy | None = None
    reason: Reason | None = None
    explanation: str = ""
    votes: tuple[Vote, ...] = ()
    self_graded: bool = False
    grader_warning: str = ""
    """What is wrong with the graders, by their check."""

    @property
    def open(self) -> bool:
        """Whether a judge has to decide."""
        return self.label is None and self.reason is None


NO_REPLY = Decision("", "empty", reason="not_in_file")
"""The decision where a file of replies has none for the row."""
STOPPED_BY_LIMIT = Decision("", "empty", reason="stopped_by_limit")
"""The decision where a limit stopped the sample: what stands last is no reply."""


def decide_by_form(
    item: RefusalItem, reply: str, stop: str, settings: DecisionSettings
) -> Decision:
    """Return the decision that needs no model, open if a judge has to read the reply.

    `stop` is Inspect's stop reason. A safety stop, a cut-off reply and an empty reply
    are unscored, whatever text they carry. `offline` also reads free text
    (`read_reply`) and leaves nothing open: an answer that is not plainly the gold one
    is decided and ungraded, and a refusal in words has no known code.
    """
    mode = settings.judge
    codes = settings.codes
    body = reply
    level = None
    if settings.confidence:
        split = split_confidence(reply)
        body, level = split.body, split.level
    parsed = parse_reply(body)
    decided = partial(Decision, body, parsed.form, level)
    if stop == "content_filter":
        return decided(reason="provider_refusal")
    if stop in ("max_tokens", "model_length"):
        return decided(reason="truncated")
    if parsed.form == "empty":
        return decided(reason="no_response")
    if mode != "always" and parsed.label is not None:
        return decided(
            label=parsed.label, decided_by="parse", explanation="a bare refusal code"
        )
    if mode != "always" and parsed.form == "free text" and item.answer_type:
        right = typed_verdict(body, item.answer_type, item.answers)
        if right is not None:
            return decided(
                label=Label.ANSWER,
                correct=right if item.answerable else None,
                decided_by="type",
                explanation=f"gives {'the' if right else 'another'} {item.answer_type}",
            )
    if mode != "offline":
        return decided()
    read = read_reply(
        body,
        question=item.query,
        gold=item.references,
        refusals=settings.phrases,
        context=item.passages,
    )
    if read.kind == "refusal":
        return decided(
            label=read.code or Label.OTHER,
            coded=read.code is not None or not codes,
            decided_by="parse" if read.code else "reading",
            explanation=f"refuses, by its {read.decided_by}",
        )
    if read.kind == "answer":
        # a long reference shows that an equal reply is right; that a reply names an
        # alias shows only that it answers
        sure = read.right and (
            not item.reference or equals_alias(body, item.references)
        )
        by: DecidedBy = "alias" if read.decided_by == "gold" else "reading"
        right = True if item.answerable and sure else None
        return decided(
            label=Label.ANSWER,
            correct=right,
            decided_by=by,
            explanation=f"answers, by its {read.decided_by}",
        )
    return decided(reason="undecided_offline")


def decide_by_votes(
    decision: Decision,
    votes: Sequence[Vote],
    rubric: Rubric,
    answerable: bool,
    self_graded: bool = False,
) -> Decision:
    """Return the decision of a panel: the label of a strict majority of the valid
    votes, the medians of its numbers.

    One grader is a panel of one. No grader is `no_grader`, no valid vote
    `grader_failed`, no majority `grader_disagreement`.
    """
    decision = replace(decision, votes=tuple(votes), self_graded=self_graded)
    if not votes:
        return replace(
            decision,
            reason="no_grader",
            explanation="bind a model to the role 'grader'",
        )
    valid = [vote for vote in votes if vote.label is not None]
    if not valid:
        failures = "; ".join(f"{vote.grader}: {vote.failure}" for vote in votes)
        return replace(decision, reason="grader_failed", explanation=failures)
    label, support = Counter(vote.label for vote in valid).most_common(1)[0]
    if 2 * support <= len(valid):
        return replace(
            decision,
            reason="grader_disagreement",
            explanation="the panel has no majority",
        )
    winners = [vote for vote in valid if vote.label is label]
    keys = winners[0].numbers if answerable and label is Label.ANSWER else ()
    numbers = {
        key: float(median(vote.numbers[key] for vote in winners if key in vote.numbers))
        for key in keys
    }
    return replace(
        decision,
        label=label,
        numbers=numbers,
        correct=rubric.right(numbers) if numbers else None,
        decided_by="judge",
        explanation=winners[0].explanation,
    )


async def decide(state: TaskState, settings: DecisionSettings) -> Decision:
    """Return the decision about a sample's reply: that of a scorer before with the same
    settings, else a new one.
    """
    earlier = carried(state, settings, Decision)
    if earlier is not None:
        return earlier
    try:
        return await _decide(state, settings)
    except CallFailed as failed:
        raise failed.error from None
    except (DataError, LimitExceededError):
        raise
    except (
        Exception
    ) as error:  # a text that our own code cannot take costs its row, never the run
        return Decision(
            "", "free text", reason="scoring_failed", explanation=problem_of(error)
        )


async def _decide(state: TaskState, settings: DecisionSettings) -> Decision:
    if has_no_reply(state):
        return NO_REPLY
    if stopped_by_limit(state):
        return STOPPED_BY_LIMIT
    item = seen_item(state)
    stop = stop_of(state.output)
    reply = reply_of(state.output)
    decision = decide_by_form(item, reply, stop, settings)
    if not decision.open:
        return decision
    graders = find_graders()
    decision = replace(
        decision, grader_warning=await settings.check.warning(graders.models)
    )
    rubric = _rubric(item, decision.body, settings)
    rubric = rubric if settings.codes else rubric.without_codes()
    body = decision.body
    name = settings.judge_prompt
    if name == OURS:
        asked = [
            judge_reply(model, item.query, body, rubric) for model in graders.models
        ]
    else:
        asked = [
            released_vote(model, item, body, settings.grounded, name)
            for model in graders.models
        ]
    votes = await collect(*asked)
    for grader, vote in zip(graders.models, votes, strict=True):
        count_verdict(grader, vote.failure)
    return decide_by_votes(
        decision, votes, rubric, item.answerable, graders.self_graded
    )


def _rubric(item: RefusalItem, reply: str, settings: DecisionSettings) -> Rubric:
    if item.answerable and settings.grounded:
        return grounding_rubric(item, reply, settings.protocol, settings.raf)
    if item.answerable:
        return grade_rubric(item.answers)
    return (
        grade_rubric(())
        if settings.judge == "always" and not settings.grounded
        else LABEL_ONLY
    )
