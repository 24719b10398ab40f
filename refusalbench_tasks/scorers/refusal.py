"""The scores of a refusal task: whether a reply is right, and the numbers behind every
metric.
"""

from collections.abc import Callable, Sequence
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
from refusalbench_tasks.outcome import is_right, reply_outcome
from refusalbench_tasks.replies.citations import count_citations
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.scorers.refusal_decision import Decision, decide_sample
from refusalbench_tasks.scorers.refusal_settings import DecisionSettings, RefusalScoring
from refusalbench_tasks.scorers.run_settings import RunSettings
from refusalbench_tasks.scorers.shared_result import carrying, score_number, verdict_of
from refusalbench_tasks.solvers.retrieved import retrieval_notes, seen_item
from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.taxonomy import REFUSAL, Label


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
    settings = RunSettings(DecisionSettings, given)
    return _scorer(settings, _correctness)


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
    return _scorer(RunSettings(DecisionSettings, settings), numbers_score)


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
    return _scorer(RunSettings(DecisionSettings, settings), numbers_score)


def _scorer(
    settings: RunSettings[DecisionSettings],
    score_of: Callable[[TaskState, Decision, DecisionSettings], Score],
) -> Scorer:
    """Return the scorer that makes a score of the one decision about a sample."""

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
    right = is_right(
        item.expected,
        decision.label,
        decision.correct,
        settings.codes,
        decision.coded,
    )
    if reply_outcome(decision.reason) == "no_reply":
        right = False
    label = _given(decision, settings.codes)
    return Score(
        value=verdict_of(right),
        answer=label or None,
        explanation=(
            f"expected {item.expected.value}, given {label or 'nothing'}"
            f" ({_why(decision)})"
        ),
        reason=decision.reason or ("undecided_offline" if right is None else None),
        metadata={"decided_by": decision.decided_by, "form": decision.form},
    )


def _given(decision: Decision, codes: bool) -> str:
    """Return what a reply was found to be: an answer, its code, `REFUSAL` if nobody
    read one, empty if undecided.
    """
    if decision.label is None:
        return ""
    if decision.label.is_refusal and not (codes and decision.coded):
        return REFUSAL
    return decision.label.value


def _why(decision: Decision) -> str:
    """Return who decided, or why nothing could be, and the explanation, in one line."""
    decider = decision.decided_by or decision.reason
    explanation = " ".join(decision.explanation.split())
    return ": ".join(filter(None, (decider, explanation)))


def numbers_score(
    state: TaskState,
    decision: Decision,
    settings: DecisionSettings,
) -> Score:
    """Return the numbers of a decided reply; its label is the answer, and who decided
    is in the metadata.
    """
    item = state.metadata_as(RefusalItem)
    label = decision.label
    outcome = reply_outcome(decision.reason)
    # what the model failed to give is no refusal, no hit and not right; what we could
    # not measure is unknown
    nothing = 0.0 if outcome == "no_reply" else None
    values: dict[str, float | None] = dict.fromkeys(
        ("refused", "hit", "right", "asks_back"), nothing
    )
    if label is not None:
        right = is_right(
            item.expected,
            label,
            decision.correct,
            settings.codes,
            decision.coded,
        )
        hit = label is item.expected
        values = {
            "refused": label.is_refusal,
            "hit": hit,
            "right": right,
            "asks_back": decision.asks_back,
        }
    if item.answerable or not (settings.codes and decision.coded):
        values["hit"] = None
    if not settings.hears_clarifications:
        values["asks_back"] = None
    values["asks_about_the_ambiguity"] = decision.asks_about_the_ambiguity
    if settings.grounded:
        values |= _grounded_numbers(state, decision)
    else:
        values["grade"] = decision.numbers.get("grade")
    values["confidence"] = MIDPOINTS[decision.level] if decision.level else None
    values["unscored"] = outcome == "unscored"
    metadata = {
        **_provenance(decision),
        "epoch": state.epoch,
        **retrieval_notes(state),
        **_calls(state),
        "protocol": settings.protocol,
        "confidence_asked": settings.confidence,
        "cluster": settings.cluster,
    }
    if not settings.codes:
        metadata["codes"] = False
    return Score(
        value={name: score_number(value) for name, value in values.items()},
        answer=_given(decision, settings.codes) or None,
        explanation=decision.explanation or None,
        reason=decision.reason,
        metadata=metadata,
    )


def _calls(state: TaskState) -> dict[str, int]:
    """Return how often the model was asked, where treatments have noted it."""
    notes = state.metadata.get(NOTES)
    if not isinstance(notes, list):
        return {}
    return {"calls": sum(note["calls"] for note in notes)}


def _grounded_numbers(state: TaskState, decision: Decision) -> dict[str, float | None]:
    """Return what is noted of a reply to ten passages alone."""
    values: dict[str, float | None] = {}
    for name in ("eligible", "factual_all", "factual_relevant"):
        values[name] = decision.numbers.get(name)
    counts: Sequence[int | None] = (None, None, None)
    if decision.label is Label.ANSWER:
        seen = seen_item(state)
        counts = count_citations(
            decision.body,
            len(seen.passages),
            seen.signal,
        )
    names = ("citations", "citations_existing", "citations_signal")
    return values | dict(zip(names, counts, strict=True))


def _provenance(decision: Decision) -> dict[str, Any]:
    """Return who decided, and every grader's vote."""
    votes = [asdict(vote) for vote in decision.votes]
    provenance: dict[str, Any] = {
        "decided_by": decision.decided_by,
        "form": decision.form,
        "level": decision.level,
        "graders": [vote.grader for vote in decision.votes],
        "self_graded": decision.self_graded,
        "votes": votes,
    }
    if decision.grader_warning:
        provenance["grader_check"] = decision.grader_warning
    return provenance
