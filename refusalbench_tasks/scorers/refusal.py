"""The scores of a refusal task: whether a reply is right, and the numbers behind every
metric.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
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

from refusalbench_tasks.arguments import require
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.outcome import Cluster, is_right, reply_outcome
from refusalbench_tasks.replies.citations import count_citations
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.scorers.refusal_decision import Decision, decide
from refusalbench_tasks.scorers.refusal_settings import DecisionSettings, RefusalScoring
from refusalbench_tasks.scorers.run_settings import RunSettings
from refusalbench_tasks.scorers.shared_result import carrying
from refusalbench_tasks.solvers.retrieved import retrieval_notes, seen_item
from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.taxonomy import REFUSAL, Label

NAN = float("nan")


@metric(scores="unreduced")
def refusal_metrics(cluster: Cluster | None = None) -> Metric:
    """Return the paper's main metrics (App. D), each with `_stderr`, and as `stderr`
    that of the headline.

    It is unreduced, so `--epochs-reducer` has no effect on it: an average of the labels
    of a sample's epochs means nothing.

    Args:
        cluster: `question` resamples base questions; `row` takes rows for independent,
            for comparison with the paper. Without it as the run was told.
    """
    require(Cluster, cluster=cluster)

    def compute(scores: list[SampleScore]) -> Value:
        # every `inspect` command imports this module, and few need the arithmetic
        from refusalbench_tasks.metrics.refusal import logged_numbers
        from refusalbench_tasks.metrics.reply_table import of_scores

        table = of_scores(scores)
        return logged_numbers(
            table if cluster is None else table.assign(cluster_by=cluster)
        )

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
    return _scorer(settings, correctness)


@scorer(metrics=[refusal_metrics()])
def refusal_scores(**given: Any) -> Scorer:
    """Score a reply by numbers: refused, hit (the gold code), right, grade, confidence,
    unscored.

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
        decision = await decide(state, how)
        return carrying(score_of(state, decision, how), how, decision)

    return score


def correctness(
    state: TaskState, decision: Decision, settings: DecisionSettings
) -> Score:
    """Return whether a decided reply is right, as a score that Inspect's tools read."""
    item = state.metadata_as(RefusalItem)
    right = is_right(
        item.expected, decision.label, decision.correct, settings.codes, decision.coded
    )
    if reply_outcome(decision.reason) == "no_reply":
        right = False
    label = _given(decision, settings.codes)
    return Score(
        value=NAN if right is None else CORRECT if right else INCORRECT,
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
    state: TaskState, decision: Decision, settings: DecisionSettings
) -> Score:
    """Return the numbers of a decided reply; its label is the answer, and who decided
    is in the metadata.
    """
    item = state.metadata_as(RefusalItem)
    label = decision.label
    outcome = reply_outcome(decision.reason)
    # what the model failed to give is no refusal, no hit and not right; what we could
    # not measure is unknown
    nothing = 0.0 if outcome == "no_reply" else NAN
    right = is_right(
        item.expected, label, decision.correct, settings.codes, decision.coded
    )
    coded = not item.answerable and settings.codes
    grade = {"grade": decision.numbers.get("grade", NAN)}
    special = _grounded_numbers(state, decision) if settings.grounded else grade
    return Score(
        value={
            "refused": float(label.is_refusal) if label else nothing,
            "hit": (
                (float(label is item.expected) if label else nothing)
                if coded and decision.coded
                else NAN
            ),
            "right": (
                nothing if label is None else NAN if right is None else float(right)
            ),
            **special,
            "confidence": MIDPOINTS[decision.level] if decision.level else NAN,
            "unscored": float(outcome == "unscored"),
        },
        answer=_given(decision, settings.codes) or None,
        explanation=decision.explanation or None,
        reason=decision.reason,
        metadata=_provenance(decision)
        | {"epoch": state.epoch}
        | retrieval_notes(state)
        | _calls(state)
        | ({} if settings.codes else {"codes": False})
        | {
            "protocol": settings.protocol,
            "confidence_asked": settings.confidence,
            "cluster": settings.cluster,
        },
    )


def _calls(state: TaskState) -> dict[str, int]:
    """Return how often the model was asked, where treatments have noted it."""
    notes = state.metadata.get(NOTES)
    return (
        {"calls": sum(note["calls"] for note in notes)}
        if isinstance(notes, list)
        else {}
    )


def _grounded_numbers(state: TaskState, decision: Decision) -> dict[str, float]:
    """Return what is noted of a reply to ten passages alone."""
    numbers = {
        key: decision.numbers.get(key, NAN)
        for key in ("eligible", "factual_all", "factual_relevant")
    }
    citations = dict.fromkeys(
        ("citations", "citations_existing", "citations_signal"), NAN
    )
    if decision.label is Label.ANSWER:
        seen = seen_item(state)
        cited = count_citations(decision.body, len(seen.passages), seen.signal)
        counts = (cited.total, cited.existing, cited.signal)
        citations = dict(zip(citations, map(float, counts), strict=True))
    return numbers | citations


def _provenance(decision: Decision) -> dict[str, Any]:
    """Return who decided, and every grader's vote."""
    return {
        "decided_by": decision.decided_by,
        "form": decision.form,
        "level": decision.level,
        "graders": [vote.grader for vote in decision.votes],
        "self_graded": decision.self_graded,
        **(
            {"grader_check": decision.grader_warning} if decision.grader_warning else {}
        ),
        "votes": [asdict(vote) for vote in decision.votes],
    }
