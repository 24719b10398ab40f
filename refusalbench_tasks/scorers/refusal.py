"""The scores of a refusal task: the predicted label, and the numbers behind every metric."""

from collections.abc import Callable, Mapping
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, frequency, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import one_of
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.metrics.inspect_refusal import (
    calibration_metrics,
    grounding_metrics,
    refusal_breakdown,
    refusal_counts,
    refusal_intervals,
    refusal_metrics,
    reply_kinds,
)
from refusalbench_tasks.outcome import Cluster, JudgeMode, Outcome, Protocol
from refusalbench_tasks.replies.citations import count_citations
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.results.logs.closing_table import short_closing_table
from refusalbench_tasks.scorers.decision import Decision, Settings, decide
from refusalbench_tasks.scorers.run_settings import RunSettings, resampled
from refusalbench_tasks.solvers.retrieved import retrieval_notes, seen_item
from refusalbench_tasks.taxonomy import Label

NAN = float("nan")
DEFAULTS: dict[str, Any] = {
    "judge": "cascade",
    "confidence": False,
    "grounded": False,
    "protocol": "paper",
    "raf": "reply",
    # a log from before there was a choice has none, and asked for codes: nothing to warn of
    "codes": None,
}
CHOICES: dict[str, Any] = {"judge": JudgeMode, "protocol": Protocol, "raf": Raf}
# the paper's own metrics follow these: last, a terminal leaves them in sight
DETAILS = [refusal_intervals(), refusal_breakdown(), calibration_metrics(), refusal_counts(), reply_kinds()]


@scorer(metrics=[frequency([label.value for label in Label])])
def refusal_label(
    judge: JudgeMode | None = None,
    confidence: bool | None = None,
    grounded: bool | None = None,
    protocol: Protocol | None = None,
    raf: Raf | None = None,
    codes: bool | None = None,
) -> Scorer:
    """Score a reply by what it is: an answer, or a refusal with one of seven codes.

    The value is the predicted label; what cannot be decided is unscored, with the reason. Arguments that are not given
    are those of the run.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        grounded: Grade answers against ten passages. Beside `grounded_scores` the judge is asked once for both.
        protocol: As in `grounded_scores`.
        raf: As in `grounded_scores`.
        codes: Whether codes were asked for; if not, any refusal is `REFUSE_OTHER`.
    """
    settings_of = _settings(
        {}, judge=judge, confidence=confidence, grounded=grounded, protocol=protocol, raf=raf, codes=codes
    )

    async def score(state: TaskState, target: Target) -> Score:
        decision = await decide(state, settings_of(state))
        about = {"decided_by": decision.decided_by, "form": decision.form}
        if decision.label is None:
            return Score.unscored(
                reason=decision.reason,
                answer=decision.body,
                explanation=decision.explanation or None,
                metadata=about,
            )
        return Score(value=decision.label.value, answer=decision.body, explanation=decision.explanation, metadata=about)

    return score


@scorer(metrics=[*DETAILS, refusal_metrics()])
def refusal_scores(
    judge: JudgeMode | None = None,
    confidence: bool | None = None,
    protocol: Protocol | None = None,
    cluster: Cluster | None = None,
    codes: bool | None = None,
) -> Scorer:
    """Score a reply by numbers: refused, hit (the gold code), right, grade, confidence, unscored. NaN is "unknown".

    Its metrics are those of the paper. The predicted label is the score's answer. Arguments that are not given are
    those of the run.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        protocol: `paper` (formulas as printed) or `official-code` (as the released scripts compute them).
        cluster: What standard errors and intervals resample: the `question` or the `row`.
        codes: Whether codes were asked for; if not, answers are told from refusals alone, whose code is unknown.
    """
    short_closing_table()
    settings_of = _settings({"grounded": False}, judge=judge, confidence=confidence, protocol=protocol, codes=codes)
    cluster_of = resampled(cluster)

    async def score(state: TaskState, target: Target) -> Score:
        settings = settings_of(state)
        decision = await decide(state, settings)
        return _score(state, decision, settings, plain_numbers(decision), cluster_of(state))

    return score


@scorer(metrics=[*DETAILS, grounding_metrics(), refusal_metrics()])
def grounded_scores(
    judge: JudgeMode | None = None,
    confidence: bool | None = None,
    protocol: Protocol | None = None,
    raf: Raf | None = None,
    cluster: Cluster | None = None,
    codes: bool | None = None,
) -> Scorer:
    """Score a reply to ten passages by numbers: as `refusal_scores`, with eligibility, factuality and citations.

    Arguments that are not given are those of the run.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        protocol: `paper` (RAF = eligible and every claim supported by relevant passages) or `official-code` (the
            second alone; undecided rows stay in the denominators).
        raf: `reply` (one judgement of the whole reply) or `claims` (one per sentence of it).
        cluster: What standard errors and intervals resample: the `question` or the `row`.
        codes: As in `refusal_scores`.
    """
    short_closing_table()
    settings_of = _settings(
        {"grounded": True}, judge=judge, confidence=confidence, protocol=protocol, raf=raf, codes=codes
    )
    cluster_of = resampled(cluster)

    async def score(state: TaskState, target: Target) -> Score:
        settings = settings_of(state)
        decision = await decide(state, settings)
        item = seen_item(state) if decision.label is Label.ANSWER else None
        numbers = grounded_numbers(decision, item)
        return _score(state, decision, settings, numbers, cluster_of(state))

    return score


def _settings(fixed: Mapping[str, Any], **given: Any) -> Callable[[TaskState], Settings]:
    """Return how a sample is to be scored: as given, else as its run was, else by the defaults of the tasks."""
    for name, value in given.items():
        if name in CHOICES and value is not None:
            one_of(name, value, CHOICES[name])
    settings = RunSettings(given, {name: DEFAULTS[name] for name in given})

    def settings_of(state: TaskState) -> Settings:
        known = settings.of(state)
        return Settings(**fixed, **known | {"codes": known["codes"] is not False})

    return settings_of


def _score(
    state: TaskState, decision: Decision, settings: Settings, numbers: dict[str, float], cluster: Cluster
) -> Score:
    notes = {"epoch": state.epoch} | retrieval_notes(state)
    return refusal_score(state.metadata_as(RefusalItem), decision, settings, numbers, cluster, notes)


def plain_numbers(decision: Decision) -> dict[str, float]:
    """Return what is noted of a reply to one passage alone."""
    return {"grade": decision.numbers.get("grade", NAN)}


def grounded_numbers(decision: Decision, seen: RefusalItem | None) -> dict[str, float]:
    """Return what is noted of a reply to ten passages alone; `seen` is the row as its author saw it."""
    numbers = {key: decision.numbers.get(key, NAN) for key in ("eligible", "factual_all", "factual_relevant")}
    cited = None
    if seen is not None and decision.label is Label.ANSWER:
        cited = count_citations(decision.body, len(seen.passages), seen.signal)
    numbers["citations"] = float(cited.total) if cited else NAN
    numbers["citations_existing"] = float(cited.existing) if cited else NAN
    numbers["citations_signal"] = float(cited.signal) if cited else NAN
    return numbers


def refusal_score(
    item: RefusalItem,
    decision: Decision,
    settings: Settings,
    numbers: Mapping[str, float],
    cluster: Cluster,
    notes: Mapping[str, Any],
) -> Score:
    """Return the score of a decision about a reply to a row; `numbers` and `notes` are what else is known of it."""
    label = decision.label
    outcome = Outcome(item.expected, label, decision.correct, item.source_id, settings.codes)
    hit = None if label is None or item.answerable or not settings.codes else label is item.expected
    return Score(
        value={
            "refused": NAN if label is None else float(label.is_refusal),
            "hit": NAN if hit is None else float(hit),
            "right": NAN if outcome.right is None else float(outcome.right),
            **numbers,
            "confidence": MIDPOINTS[decision.level] if decision.level else NAN,
            "unscored": float(label is None),
        },
        answer=label.value if label else None,
        explanation=decision.explanation or None,
        reason=decision.reason,
        metadata=_provenance(decision)
        | dict(notes)
        | ({} if settings.codes else {"codes": False})
        | {"protocol": settings.protocol, "confidence_asked": settings.confidence, "cluster": cluster},
    )


def _provenance(decision: Decision) -> dict[str, Any]:
    """Return who decided, and every grader's vote."""
    votes = [
        {
            "grader": vote.grader,
            "label": vote.label,
            "numbers": dict(vote.numbers),
            "failure": vote.failure,
            "explanation": vote.explanation,
        }
        for vote in decision.votes
    ]
    return {
        "decided_by": decision.decided_by,
        "form": decision.form,
        "level": decision.level,
        "graders": [vote.grader for vote in decision.votes],
        "self_graded": decision.self_graded,
        "votes": votes,
    }
