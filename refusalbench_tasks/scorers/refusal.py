"""The scores of a refusal task: whether a reply is right, and the numbers behind every
metric.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.metrics.reply_score import (
    given_label,
    reply_right,
    reply_score,
)
from refusalbench_tasks.scorers.refusal_decision import Decision, decide_sample
from refusalbench_tasks.scorers.refusal_settings import DecisionSettings, RefusalScoring
from refusalbench_tasks.scorers.run_settings import RunSettings
from refusalbench_tasks.scorers.shared_result import carrying, verdict_of
from refusalbench_tasks.solvers.retrieved import retrieval_notes, seen_item
from refusalbench_tasks.solvers.treatments import NOTES


@metric(scores="unreduced")
def refusal_metrics() -> Metric:
    """Return the paper's main metrics (App. D), each with `_stderr`, and as `stderr`
    that of the headline.

    It is unreduced, so `--epochs-reducer` has no effect on it: an average of the labels
    of a sample's epochs means nothing.
    """

    def compute(scores: list[SampleScore]) -> Value:
        # every `inspect` command imports this module, and few need the arithmetic
        from refusalbench_tasks.metrics.refusal import logged_numbers
        from refusalbench_tasks.metrics.reply_table import of_scores

        return logged_numbers(of_scores(scores))

    return compute


@scorer(metrics=[accuracy(), stderr(cluster="source_id")])
def refusal_correct(**given: Any) -> Scorer:
    """Score whether a reply is right: a right answer where there is one, else the gold
    refusal code.

    The value is `C` or `I`, and the explanation one line: what was expected, what was
    given, who decided and why. What could not be measured is unscored, with the reason.

    Args:
        **given: Arguments of `RefusalScoring`, and `grounded`: whether answers are
            graded against the passages. What is not given is as the run had it. Beside
            `grounded_scores` the judge is asked once for both.
    """
    return reply_scorer(given, _correctness)


@scorer(metrics=[refusal_metrics()])
def refusal_scores(**given: Any) -> Scorer:
    """Score a reply by numbers: refused, hit (the gold code), right, asks_back,
    asks_about_the_ambiguity, grade, confidence, unscored.

    NaN is "unknown".

    Its metrics are those of the paper. The predicted label is the score's answer,
    `REFUSAL` for a refusal whose code nobody read.

    Args:
        **given: Arguments of `RefusalScoring`; what is not given is as the run had it.
    """
    settings = RefusalScoring.some(given) | {"grounded": False}
    return reply_scorer(settings, numbers_score)


@scorer(metrics=[refusal_metrics()])
def grounded_scores(**given: Any) -> Scorer:
    """Score a reply to ten passages by numbers: as `refusal_scores`, with eligibility,
    factuality and citations.

    With `protocol=paper` an answer is right that is eligible and has every claim
    supported by relevant passages; with `official-code` the second alone counts, and
    unscored rows stay in the denominators.

    Args:
        **given: Arguments of `RefusalScoring`; what is not given is as the run had it.
    """
    settings = RefusalScoring.some(given) | {"grounded": True}
    return reply_scorer(settings, numbers_score)


def reply_scorer(
    given: Mapping[str, Any],
    score_of: Callable[[TaskState, Decision, DecisionSettings], Score],
) -> Scorer:
    """Return the scorer that makes a score of the one decision about a sample, by
    settings of `DecisionSettings`; what is not given is as the run had it.
    """
    settings = RunSettings(DecisionSettings, given)

    async def score(state: TaskState, target: Target) -> Score:
        how = settings.of(state)
        decision = await decide_sample(state, how)
        return carrying(
            score_of(state, decision, how),
            how,
            decision,
        )

    return score


def _correctness(
    state: TaskState,
    decision: Decision,
    settings: DecisionSettings,
) -> Score:
    """Return whether a decided reply is right, as a score that Inspect's tools read."""
    item = state.metadata_as(RefusalItem)
    right = reply_right(item, decision, settings.codes)
    label = given_label(decision, settings.codes)
    decider = decision.decided_by or decision.reason
    why = (decider, " ".join(decision.explanation.split()))
    return Score(
        value=verdict_of(right),
        answer=label or None,
        explanation=(
            f"expected {item.expected.value}, given {label or 'nothing'}"
            f" ({': '.join(filter(None, why))})"
        ),
        reason=decision.reason or ("undecided_offline" if right is None else None),
        metadata={"decided_by": decision.decided_by, "form": decision.form},
    )


def numbers_score(
    state: TaskState,
    decision: Decision,
    settings: DecisionSettings,
) -> Score:
    """Return the numbers of a decided reply; its label is the answer, and who decided
    is in the metadata.
    """
    noted = reply_score(
        seen_item(state),
        decision,
        decision.numbers,
        settings.codes,
        settings.grounded,
    )
    numbers = dict(noted.value)
    if not settings.hears_clarifications:
        numbers["asks_back"] = math.nan
    metadata = {
        **noted.metadata,
        **_graders(decision),
        "epoch": state.epoch,
        **retrieval_notes(state),
        **_calls(state),
        "protocol": settings.protocol,
        "confidence_asked": settings.confidence,
        "cluster": settings.cluster,
    }
    return Score(
        value=numbers,
        answer=noted.answer,
        explanation=noted.explanation,
        reason=decision.reason,
        metadata=metadata,
    )


def _calls(state: TaskState) -> dict[str, int]:
    """Return how often the model was asked, where treatments have noted it."""
    notes = state.metadata.get(NOTES)
    if not isinstance(notes, list):
        return {}
    return {"calls": sum(note["calls"] for note in notes)}


def _graders(decision: Decision) -> dict[str, Any]:
    """Return who graded, and every grader's vote."""
    votes = [asdict(vote) for vote in decision.votes]
    graders = {
        "graders": [vote.grader for vote in decision.votes],
        "self_graded": decision.self_graded,
        "votes": votes,
    }
    if decision.grader_warning:
        graders["grader_check"] = decision.grader_warning
    return graders
