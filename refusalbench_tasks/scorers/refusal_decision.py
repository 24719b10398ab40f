"""What was decided about one reply, by form, else by the judge, or why nothing could
be; once for all scorers.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median

from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.judging.clarification import asks_about_ambiguity, majority
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
from refusalbench_tasks.replies.confidence import (
    ConfidentReply,
    Level,
    split_confidence,
)
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.typed_answer import typed_verdict
from refusalbench_tasks.scorers.refusal_settings import OURS, DecisionSettings
from refusalbench_tasks.scorers.shared_result import shared
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
    asks_back: bool | None = None
    """Whether a refusal asks the user back; None if that is unknown."""
    asks_about_the_ambiguity: bool | None = None
    """Whether it asks about what makes its row ambiguous; None if no grader said so."""
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


NO_REPLY = Decision(
    "",
    "empty",
    reason="not_in_file",
)
"""The decision where a file of replies has none for the row."""
STOPPED_BY_LIMIT = Decision(
    "",
    "empty",
    reason="stopped_by_limit",
)
"""The decision where a limit stopped the sample: what stands last is no reply."""


def decide_by_form(
    item: RefusalItem,
    reply: str,
    stop: str,
    settings: DecisionSettings,
) -> Decision:
    """Return the decision that needs no model, open if a judge has to read the reply.

    `stop` is Inspect's stop reason. A safety stop, a cut-off reply and an empty reply
    are unscored, whatever text they carry. `offline` also reads free text
    (`read_reply`) and leaves nothing open: an answer that is not plainly the gold one
    is decided and ungraded, and a refusal in words has no known code.
    """
    split = ConfidentReply(reply, None)
    if settings.confidence:
        split = split_confidence(reply)
    parsed = parse_reply(split.body)
    decision = Decision(split.body, parsed.form, split.level)
    reason = _unusable_reason(stop, parsed.form)
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
        right = typed_verdict(split.body, item.answer_type, item.answers)
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
        return _read_offline(item, decision, settings)
    return decision


def _unusable_reason(stop: str, form: Form) -> Reason | None:
    if stop == "content_filter":
        return "provider_refusal"
    if stop in ("max_tokens", "model_length"):
        return "truncated"
    return "no_response" if form == "empty" else None


def _read_offline(
    item: RefusalItem,
    decision: Decision,
    settings: DecisionSettings,
) -> Decision:
    """Return the decision on free text that is read without a grader."""
    read = read_reply(
        decision.body,
        question=item.query,
        gold=item.references,
        refusals=settings.phrases,
        context=item.passages,
    )
    if read.kind == "undecided":
        return replace(decision, reason="undecided_offline")
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
        return replace(answer, decided_by="type", explanation=why)
    return replace(
        answer,
        decided_by="alias" if read.right else "reading",
        explanation=f"answers, by its {read.decided_by}",
    )


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
    decision = replace(
        decision,
        votes=tuple(votes),
        self_graded=self_graded,
    )
    if not votes:
        return replace(
            decision,
            reason="no_grader",
            explanation="bind a model to the role 'grader'",
        )
    valid = [vote for vote in votes if vote.label is not None]
    if not valid:
        failures = "; ".join(f"{vote.grader}: {vote.failure}" for vote in votes)
        return replace(
            decision,
            reason="grader_failed",
            explanation=failures,
        )
    label, support = Counter(vote.label for vote in valid).most_common(1)[0]
    if 2 * support <= len(valid):
        return replace(
            decision,
            reason="grader_disagreement",
            explanation="the panel has no majority",
        )
    winners = [vote for vote in valid if vote.label is label]
    numbers = {}
    if answerable and label is Label.ANSWER:
        for key in winners[0].numbers:
            known = [vote.numbers[key] for vote in winners if key in vote.numbers]
            numbers[key] = float(median(known))
    return replace(
        decision,
        label=label,
        asks_back=majority([vote.asks_back for vote in winners]),
        numbers=numbers,
        correct=rubric.right(numbers) if numbers else None,
        decided_by="judge",
        explanation=winners[0].explanation,
    )


async def decide_sample(state: TaskState, settings: DecisionSettings) -> Decision:
    """Return the decision about a sample's reply: that of a scorer before with the same
    settings, else a new one.
    """

    def failed(problem: str) -> Decision:
        return Decision(
            "",
            "free text",
            reason="scoring_failed",
            explanation=problem,
        )

    find = partial(_decide, state, settings)
    return await shared(
        state,
        settings,
        Decision,
        find,
        failed,
    )


async def _decide(state: TaskState, settings: DecisionSettings) -> Decision:
    if has_no_reply(state):
        return NO_REPLY
    if stopped_by_limit(state):
        return STOPPED_BY_LIMIT
    item = seen_item(state)
    stop = stop_of(state.output)
    reply = reply_of(state.output)
    decision = decide_by_form(
        item,
        reply,
        stop,
        settings,
    )
    if not decision.open:
        return decision
    graders = find_graders()
    decision = replace(
        decision, grader_warning=await settings.check.warning(graders.models)
    )
    rubric = _rubric(item, decision.body, settings)
    if not settings.codes:
        rubric = rubric.without_codes()
    asked = []
    for model in graders.models:
        if settings.judge_prompt == OURS:
            call = judge_reply(
                model,
                item.query,
                decision.body,
                rubric,
            )
        else:
            call = released_vote(
                model,
                item,
                decision.body,
                settings.grounded,
                settings.judge_prompt,
            )
        asked.append(call)
    votes = await collect(*asked)
    for grader, vote in zip(graders.models, votes, strict=True):
        count_verdict(grader, vote.failure)
    decision = decide_by_votes(
        decision,
        votes,
        rubric,
        item.answerable,
        graders.self_graded,
    )
    if not decision.asks_back or item.expected is not Label.AMBIGUOUS:
        return decision
    about = await asks_about_ambiguity(graders.models, item, decision.body)
    return replace(decision, asks_about_the_ambiguity=about)


def _rubric(
    item: RefusalItem,
    reply: str,
    settings: DecisionSettings,
) -> Rubric:
    if item.answerable and settings.grounded:
        return grounding_rubric(
            item,
            reply,
            settings.protocol,
            settings.raf,
        )
    if item.answerable:
        return grade_rubric(item.answers)
    if settings.judge == "always" and not settings.grounded:
        return grade_rubric(())
    return LABEL_ONLY
