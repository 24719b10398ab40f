"""What was decided about one reply, by form, else by the judge, or why nothing could
be; once for all scorers.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.judging.graders import count_verdict, find_graders
from refusalbench_tasks.judging.grounding import grounding_rubric
from refusalbench_tasks.judging.label import (
    LABEL_ONLY,
    Numbers,
    Rubric,
    Vote,
    asks_about_ambiguity,
    grade_rubric,
    judge_reply,
    majority,
)
from refusalbench_tasks.judging.released_judge import released_vote
from refusalbench_tasks.replies.decision import ReplyDecision, decide_by_form
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.scorers.refusal_settings import OURS, DecisionSettings
from refusalbench_tasks.scorers.shared_result import shared
from refusalbench_tasks.solvers.recorded import has_no_reply
from refusalbench_tasks.solvers.retrieved import seen_item
from refusalbench_tasks.solvers.sample_limit import stopped_by_limit
from refusalbench_tasks.taxonomy import Label


@dataclass(frozen=True)
class Decision(ReplyDecision):
    """The outcome of scoring one reply: what is decided, and what graders found."""

    numbers: Numbers = field(default_factory=dict)
    """What the rubric measured on an attempt."""
    votes: tuple[Vote, ...] = ()
    self_graded: bool = False
    grader_warning: str = ""
    """What is wrong with the graders, by their check."""


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
    failed = Decision(
        "",
        "free text",
        reason="scoring_failed",
    )
    return await shared(
        state,
        settings,
        lambda: _decide(state, settings),
        lambda problem: replace(failed, explanation=problem),
    )


async def _decide(state: TaskState, settings: DecisionSettings) -> Decision:
    if has_no_reply(state):
        return Decision("", "empty", reason="not_in_file")
    if stopped_by_limit(state):
        return Decision(
            "",
            "empty",
            reason="stopped_by_limit",
        )
    item = seen_item(state)
    stop = stop_of(state.output)
    reply = reply_of(state.output)
    without_grader = decide_by_form(
        item,
        reply,
        stop,
        settings.reading,
    )
    decision = Decision(**vars(without_grader))
    if not decision.open:
        return decision
    graders = find_graders()
    models = graders.models
    decision = replace(decision, grader_warning=await settings.check.warning(models))
    rubric = _rubric(item, decision.body, settings)
    if not settings.codes:
        rubric = rubric.without_codes()
    asked = []
    for model in models:
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
    for grader, vote in zip(models, votes, strict=True):
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
    about = await asks_about_ambiguity(
        models,
        item,
        decision.body,
    )
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
