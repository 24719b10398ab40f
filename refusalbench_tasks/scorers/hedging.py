"""The scores of BLUFF-1000: whether an answer is right, and the numbers behind every
metric.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache
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

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.outcome import reply_outcome
from refusalbench_tasks.replies.letters import clipped
from refusalbench_tasks.replies.word_lists import WordLists, word_lists
from refusalbench_tasks.scorers.carried import carrying
from refusalbench_tasks.scorers.measurement import HedgingSettings, Measurement, measure
from refusalbench_tasks.scorers.run_settings import RunSettings
from refusalbench_tasks.solvers.ptrue import Confidence
from refusalbench_tasks.solvers.retrieved import seen_notes

NAN = float("nan")
COUNTED = ("hedges", "hedge_strength", "boosters", "words")
FAITHFULNESS = ("overlap", "attribution", "hallucination", "grounding", "faithfulness")
_SHOWN = 300
How = tuple[HedgingSettings, WordLists]


@metric(scores="unreduced")
def hedging_metrics() -> Metric:
    """Return the main metrics of BLUFF-1000 by the protocol of the scores, each with
    `_stderr`, and some counts.

    `stderr` is that of the headline.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.metrics.hedging import logged_numbers
        from refusalbench_tasks.metrics.hedging_table import of_scores

        return logged_numbers(of_scores(scores))

    return compute


@scorer(metrics=[accuracy(), stderr(cluster="cluster")])
def hedging_correct(**given: Any) -> Scorer:
    """Score whether a reply is a right answer: `C`, or `I` for a wrong one, a refusal,
    and no reply at all.

    The explanation says in one line what was expected, what was given, who decided and
    why. What could not be measured is unscored, with the reason.

    Args:
        **given: Settings of `HedgingSettings`; what is not given is as the run had it.
    """
    how_of = _how(given)

    async def score(state: TaskState, target: Target) -> Score:
        settings, lists = how_of(state)
        measurement = await measure(state, settings, lists)
        return carrying(
            correctness(state.metadata_as(BluffItem), measurement),
            settings,
            measurement,
        )

    return score


@scorer(metrics=[hedging_metrics()])
def hedging_scores(**given: Any) -> Scorer:
    """Score a reply by numbers: refused, correctness, confidence, hedges, their
    strength, faithfulness.

    NaN: unknown.

    What the reply does (`refused`, `hedged`, `plain`) is the score's answer.

    Args:
        **given: Settings of `HedgingSettings`; what is not given is as the run had it.
    """
    how_of = _how(given)

    async def score(state: TaskState, target: Target) -> Score:
        settings, lists = how_of(state)
        measurement = await measure(state, settings, lists)
        return carrying(
            _numbers(state, measurement, settings, lists), settings, measurement
        )

    return score


def _how(given: Mapping[str, Any]) -> Callable[[TaskState], How]:
    """Return how a sample is to be measured: as given, else as its run was, else by the
    defaults of the task.
    """
    defaults = HedgingSettings().model_dump()
    lists_of = cache(word_lists)
    settings = RunSettings(given, defaults)

    def made(known: dict[str, Any]) -> How:
        how = HedgingSettings.of("bluff", _fitting(known, given))
        return how, lists_of(
            how.protocol, how.lexicon, how.boosters, how.official_lists
        )

    # what is wrong with an argument must be told before any sample
    made({**defaults, **given})
    return lambda state: made(settings.of(state))


def _fitting(settings: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings without what the run had and what is given now displaces."""
    displaced: set[str] = set()
    if settings["protocol"] == "official-code" or settings["judge"] == "offline":
        displaced |= {"hedging"}
    if "official_lists" in given:
        displaced |= {"lexicon", "boosters"}
    elif settings["protocol"] != "official-code" or {"lexicon", "boosters"} & set(
        given
    ):
        displaced |= {"official_lists"}
    return {
        name: value
        for name, value in settings.items()
        if name in given or name not in displaced
    }


def correctness(item: BluffItem, measurement: Measurement) -> Score:
    """Return whether a reply is a right answer, as a score that
    Inspect's tools read.
    """
    from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW

    right: bool | None = None
    if measurement.refused or reply_outcome(measurement.reason) == "no_reply":
        right = False
    elif measurement.refused is False and measurement.correctness is not None:
        right = measurement.correctness >= WRONG_BELOW
    ungraded = "grader_failed" if measurement.grades else "undecided_offline"
    reason = measurement.reason or (ungraded if right is None else None)
    given = (
        f"{_line(measurement.reply.answer) or 'nothing'}"
        f" ({measurement.label or 'unknown'})"
    )
    why = ": ".join(
        part
        for part in (measurement.decided_by or reason, _line(_said(measurement)))
        if part
    )
    return Score(
        value=NAN if right is None else CORRECT if right else INCORRECT,
        answer=measurement.reply.answer or None,
        explanation=f"expected {_line(item.answer)}, given {given}; {why}",
        reason=reason,
        metadata={"decided_by": measurement.decided_by},
    )


def _line(text: str) -> str:
    """Return a text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} …"


def _said(measurement: Measurement) -> str:
    said = [
        grade.explanation for grade in measurement.grades if grade.refused is not None
    ]
    return measurement.problem or "\n".join(said)


def _numbers(
    state: TaskState,
    measurement: Measurement,
    settings: HedgingSettings,
    lists: WordLists,
) -> Score:
    confidence = state.store_as(Confidence)
    value = confidence.value
    if (
        value is not None
        and not math.isnan(value)
        and settings.protocol == "official-code"
    ):
        value = clipped(value)
    terms = ", ".join(
        f"{term} ({n})" if n > 1 else term for term, n in measurement.terms.items()
    )
    wording = {"decisiveness": measurement.decisiveness, "named": measurement.named}
    return Score(
        value={
            "refused": (
                NAN if measurement.refused is None else float(measurement.refused)
            ),
            "correctness": (
                NAN if measurement.correctness is None else measurement.correctness
            ),
            "confidence": NAN if value is None else value,
            **{
                name: measurement.numbers.get(name, NAN)
                for name in (*COUNTED, *FAITHFULNESS)
            },
            "unscored": float(reply_outcome(measurement.reason) == "unscored"),
        },
        answer=measurement.label,
        explanation="\n".join(
            part
            for part in (_said(measurement), f"hedge terms: {terms or 'none'}")
            if part
        ),
        reason=measurement.reason,
        metadata=_provenance(measurement, state)
        | seen_notes(state)
        | (wording if settings.hedging == "judge" else {})
        | {
            "confidence": confidence.model_dump(
                include={"method", "missing", "model", "mass"}
            )
        }
        | {
            "protocol": settings.protocol,
            "judge": settings.judge,
            "cluster": settings.cluster,
        }
        | {"word_lists": dict(lists.about)},
    )


def _provenance(measurement: Measurement, state: TaskState) -> dict[str, object]:
    item = state.metadata_as(BluffItem)
    return {
        "epoch": state.epoch,
        "decided_by": measurement.decided_by,
        "refusal_in_text": measurement.refusal_in_text,
        "self_graded": measurement.self_graded,
        **(
            {"grader_check": measurement.grader_warning}
            if measurement.grader_warning
            else {}
        ),
        "graders": [grade.grader for grade in measurement.grades],
        "votes": [grade.model_dump() for grade in measurement.grades],
        "terms": dict(measurement.terms),
        "quality": item.quality,
        "hosts": len({source.host for source in item.sources if source.host}),
    }
