"""The scores of BLUFF-1000: what a reply does, and the numbers behind every metric."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, frequency, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.metrics.inspect_hedging import (
    hedging_arms,
    hedging_calibration,
    hedging_counts,
    hedging_effects,
    hedging_factors,
    hedging_metrics,
    hedging_signs,
)
from refusalbench_tasks.outcome import Cluster, HedgingMode, JudgeMode, Protocol
from refusalbench_tasks.replies.letters import clipped
from refusalbench_tasks.replies.word_lists import word_lists
from refusalbench_tasks.results.logs.closing_table import short_closing_table
from refusalbench_tasks.scorers.measurement import Attribution, Measurement, MeasureSettings, measure
from refusalbench_tasks.scorers.run_settings import RunSettings, resampled
from refusalbench_tasks.solvers.ptrue import Confidence
from refusalbench_tasks.solvers.retrieved import seen_notes

NAN = float("nan")
DEFAULTS: dict[str, Any] = {
    "judge": "cascade",
    "protocol": "paper",
    "attribution": "tokens",
    "lexicon": "v2",
    "boosters": "boosters",
    "official_lists": None,
    "hedging": None,
}
FAITHFULNESS = ("overlap", "attribution", "hallucination", "grounding", "faithfulness")
NUMBERS = ("hedges", "hedge_strength", "boosters", "words", *FAITHFULNESS)


METRICS = [
    hedging_effects(),
    hedging_calibration(),
    hedging_counts(),
    hedging_metrics(),
    hedging_arms(),
    hedging_signs(),
    hedging_factors(),
]
"""What a log says of a run's hedging."""


@scorer(metrics=[frequency(["refused", "hedged", "plain"])])
def hedging_label(
    judge: JudgeMode | None = None,
    protocol: Protocol | None = None,
    attribution: Attribution | None = None,
    lexicon: str | None = None,
    boosters: str | None = None,
    official_lists: str | None = None,
    hedging: HedgingMode | None = None,
) -> Scorer:
    """Score a reply by what it does: `refused`, `hedged` (an answer with at least one hedge) or `plain`.

    Arguments that are not given are those of the run.

    Args:
        judge: As in `hedging_scores`.
        protocol: As in `hedging_scores`.
        attribution: As in `hedging_scores`.
        lexicon: As in `hedging_scores`.
        boosters: As in `hedging_scores`.
        official_lists: As in `hedging_scores`.
        hedging: As in `hedging_scores`.
    """
    how_of = _measuring(judge, protocol, attribution, lexicon, boosters, official_lists, hedging)

    async def score(state: TaskState, target: Target) -> Score:
        measurement = await measure(state, how_of(state))
        if measurement.label is None:
            return Score.unscored(
                reason=measurement.reason, answer=measurement.reply.answer, explanation=_explanation(measurement)
            )
        return Score(value=measurement.label, answer=measurement.reply.answer, explanation=_explanation(measurement))

    return score


@scorer(metrics=METRICS)
def hedging_scores(
    judge: JudgeMode | None = None,
    protocol: Protocol | None = None,
    attribution: Attribution | None = None,
    lexicon: str | None = None,
    boosters: str | None = None,
    official_lists: str | None = None,
    hedging: HedgingMode | None = None,
    cluster: Cluster | None = None,
) -> Scorer:
    """Score a reply by numbers: refused, correctness, confidence, hedges, their strength, faithfulness. NaN: unknown.

    Arguments that are not given are those of the run.

    Args:
        judge: `cascade` (what is no plain refusal goes to the grader, in one call for behaviour and correctness),
            `always` (plain refusals too; with `official-code` as `cascade`) or `offline` (no model: what is not
            plainly a refusal is unscored; hedges and confidence are measured all the same).
        protocol: `paper` (formulas as printed) or `official-code` (as the released evaluator computes them).
        attribution: Which claims count as supported: by `tokens`, as the released code, or by the `grader`.
        lexicon: `v2` (bundled; with `official-code` `v1`), `v1` (bundled) or the path of another list.
        boosters: `boosters` (bundled), the list of confident words, or the path of another one.
        official_lists: The released word lists, for `official-code`: `hub` or the path of the released module.
        hedging: `list` (the list of hedges alone) or `judge` (the grader's call also tells how firmly the answer is
            put, and whether the reply names a conflict or gap of the sources).
        cluster: What standard errors and intervals resample: the `question` or the `row`.
    """
    how_of = _measuring(judge, protocol, attribution, lexicon, boosters, official_lists, hedging)
    short_closing_table()
    cluster_of = resampled(cluster)

    async def score(state: TaskState, target: Target) -> Score:
        how = how_of(state)
        measurement = await measure(state, how)
        confidence = state.store_as(Confidence)
        value = confidence.value
        if value is not None and not math.isnan(value) and how.protocol == "official-code":
            value = clipped(value)
        return Score(
            value={
                "refused": NAN if measurement.refused is None else float(measurement.refused),
                "correctness": NAN if measurement.correctness is None else measurement.correctness,
                "confidence": NAN if value is None else value,
                **{name: measurement.numbers.get(name, NAN) for name in NUMBERS},
                "unscored": float(measurement.refused is None),
            },
            answer=measurement.label,
            explanation=_explanation(measurement),
            reason=measurement.reason,
            metadata=_provenance(measurement, confidence, state)
            | seen_notes(state)
            | ({"decisiveness": measurement.decisiveness, "named": measurement.named} if how.hedging == "judge" else {})
            | {
                "protocol": how.protocol,
                "judge": how.judge,
                "cluster": cluster_of(state),
                "word_lists": dict(how.lists.about),
            },
        )

    return score


def _measuring(*values: str | None) -> Callable[[TaskState], MeasureSettings]:
    """Return how a sample is to be measured: as given, else as its run was, else by the defaults of the task.

    `values` are given for the names of `DEFAULTS`, in their order.
    """
    given = dict(zip(DEFAULTS, values, strict=True))
    if given["hedging"] is not None:
        one_of("hedging", given["hedging"], HedgingMode)
    settings, made_once = RunSettings(given, DEFAULTS), cache(_made)
    # what is wrong with an argument must be told before any sample
    made_once(**_fitting(DEFAULTS | {name: value for name, value in given.items() if value is not None}, given))

    def how_of(state: TaskState) -> MeasureSettings:
        return made_once(**_fitting(settings.of(state), given))

    return how_of


def _fitting(settings: dict[str, Any], given: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the settings without what the run had and what is given now displaces."""
    if not given["hedging"] and (settings["protocol"] == "official-code" or settings["judge"] == "offline"):
        settings = settings | {"hedging": None}
    if given["official_lists"]:
        return settings | {"lexicon": given["lexicon"], "boosters": given["boosters"] or DEFAULTS["boosters"]}
    if not given["lexicon"] and settings["lexicon"] == DEFAULTS["lexicon"]:
        # a run's own default is that of its protocol, which may be another now
        settings = settings | {"lexicon": None}
    displaced = settings["protocol"] != "official-code" or given["lexicon"] or given["boosters"]
    return settings | {"official_lists": None} if displaced else settings


def _made(
    judge: JudgeMode,
    protocol: Protocol,
    attribution: Attribution,
    lexicon: str | None,
    boosters: str,
    official_lists: str | None,
    hedging: HedgingMode | None,
) -> MeasureSettings:
    one_of("judge", judge, JudgeMode)
    one_of("protocol", protocol, Protocol)
    one_of("attribution", attribution, Attribution)
    if hedging == "judge" and (judge == "offline" or protocol == "official-code"):
        raise DataError("hedging=judge needs a grader that sees the whole reply: protocol=paper, and not judge=offline")
    lists = word_lists(protocol, lexicon, boosters, official_lists)
    return MeasureSettings(judge, protocol, attribution, lists, hedging or "list")


def _explanation(measurement: Measurement) -> str:
    said = [grade.explanation for grade in measurement.grades if grade.refused is not None]
    terms = ", ".join(f"{term} ({n})" if n > 1 else term for term, n in measurement.terms.items())
    return measurement.problem or "\n".join([*said, f"hedge terms: {terms or 'none'}"])


def _provenance(measurement: Measurement, confidence: Confidence, state: TaskState) -> dict[str, object]:
    return {
        "epoch": state.epoch,
        "decided_by": measurement.decided_by,
        "refusal_in_text": measurement.refusal_in_text,
        "self_graded": measurement.self_graded,
        "graders": [grade.grader for grade in measurement.grades],
        "votes": [grade.model_dump() for grade in measurement.grades],
        "terms": dict(measurement.terms),
        "confidence": {
            "method": confidence.method,
            "missing": confidence.missing,
            "model": confidence.model,
            "mass": confidence.mass,
            "resolution": confidence.resolution,
            "orders": confidence.orders,
        },
        "quality": _quality(state.metadata_as(BluffItem)),
        "hosts": _hosts(state.metadata_as(BluffItem)),
    }


def _quality(item: BluffItem) -> float | None:
    from refusalbench_tasks.metrics.hedging_index import source_quality

    return None if not item.sources else source_quality([source.category for source in item.sources])


def _hosts(item: BluffItem) -> int:
    return len({source.host for source in item.sources if source.host})
