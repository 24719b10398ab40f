"""The two scores of a refusal task: the predicted label, and the numbers behind every metric."""

from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai.scorer import Score, Scorer, Target, frequency, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.metrics.inspect_refusal import (
    calibration_metrics,
    refusal_breakdown,
    refusal_counts,
    refusal_intervals,
    refusal_metrics,
)
from refusalbench_tasks.metrics.outcome import Outcome, Protocol
from refusalbench_tasks.scorers.confidence import MIDPOINTS
from refusalbench_tasks.scorers.decision import Decision, JudgeMode, decide_by_form, decide_by_votes
from refusalbench_tasks.scorers.graders import find_graders
from refusalbench_tasks.scorers.judge import judge_reply
from refusalbench_tasks.scorers.structured import refused_by_provider
from refusalbench_tasks.taxonomy import Label

NAN = float("nan")

_DECIDED: WeakKeyDictionary[TaskState, dict[tuple[JudgeMode, bool], Decision]] = WeakKeyDictionary()
# Both scorers need the decision and only one judge call may be paid for. A log's stored state must not be trusted
# for it: `inspect score` runs on old logs with another judge. So it is kept for the life of the state object only.


@scorer(metrics=[frequency([label.value for label in Label])])
def refusal_label(judge: JudgeMode = "cascade", confidence: bool = False) -> Scorer:
    """Score a reply by what it is: an answer, or a refusal with one of seven codes.

    The value is the predicted label; what cannot be decided is unscored, with the reason.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
    """

    async def score(state: TaskState, target: Target) -> Score:
        decision = await decide(state, judge, confidence)
        about = {"decided_by": decision.decided_by, "form": decision.form}
        if decision.label is None:
            return Score.unscored(
                reason=decision.reason,
                answer=decision.body,
                explanation=decision.explanation or None,
                metadata=about,
            )
        return Score(
            value=decision.label.value,
            answer=decision.body,
            explanation=decision.explanation,
            metadata=about,
        )

    return score


@scorer(metrics=[refusal_intervals(), refusal_breakdown(), calibration_metrics(), refusal_counts(), refusal_metrics()])
def refusal_scores(judge: JudgeMode = "cascade", confidence: bool = False, protocol: Protocol = "paper") -> Scorer:
    """Score a reply by numbers: refused, hit (the gold code), right, grade, confidence, unscored. NaN is "unknown".

    Its metrics are those of the paper. The predicted label is the score's answer.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        protocol: `paper` (formulas as printed) or `official-code` (as the released scripts compute them).
    """

    async def score(state: TaskState, target: Target) -> Score:
        item = state.metadata_as(RefusalItem)
        decision = await decide(state, judge, confidence)
        outcome = Outcome(item.expected, decision.label, decision.correct, item.source_id)
        label = decision.label
        hit = None if label is None or item.answerable else label is item.expected
        return Score(
            value={
                "refused": NAN if label is None else float(label.is_refusal),
                "hit": NAN if hit is None else float(hit),
                "right": NAN if outcome.right is None else float(outcome.right),
                "grade": NAN if decision.grade is None else decision.grade,
                "confidence": MIDPOINTS[decision.level] if decision.level else NAN,
                "unscored": float(label is None),
            },
            answer=label.value if label else None,
            explanation=decision.explanation or None,
            reason=decision.reason,
            metadata=_provenance(decision) | {"protocol": protocol, "confidence_asked": confidence},
        )

    return score


async def decide(state: TaskState, mode: JudgeMode, confidence: bool) -> Decision:
    """Return the decision about a sample's reply; asked twice for one state, it is made once."""
    made = _DECIDED.setdefault(state, {})
    if (mode, confidence) not in made:
        made[(mode, confidence)] = await _decide(state, mode, confidence)
    return made[(mode, confidence)]


async def _decide(state: TaskState, mode: JudgeMode, confidence: bool) -> Decision:
    item = state.metadata_as(RefusalItem)
    stop = "content_filter" if refused_by_provider(state.output) else state.output.stop_reason
    reply = state.output.completion if state.output.choices else ""
    decision = decide_by_form(item, reply, stop, mode, confidence)
    if not decision.open:
        return decision
    graders = find_graders()
    if not graders.models:
        return decide_by_votes(decision, (), item.answerable)
    references = item.answers if item.answerable else ()
    graded = item.answerable or mode == "always"
    votes = await collect(
        *(judge_reply(model, item.query, decision.body, references, graded) for model in graders.models)
    )
    return decide_by_votes(decision, votes, item.answerable, graders.self_graded)


def _provenance(decision: Decision) -> dict[str, Any]:
    """Return who decided, and every grader's vote."""
    votes = [
        {"grader": v.grader, "label": v.label, "grade": v.grade, "failure": v.failure, "explanation": v.explanation}
        for v in decision.votes
    ]
    return {
        "decided_by": decision.decided_by,
        "form": decision.form,
        "level": decision.level,
        "graders": [vote.grader for vote in decision.votes],
        "self_graded": decision.self_graded,
        "votes": votes,
    }
