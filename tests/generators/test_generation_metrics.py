"""The metrics of a generation run over six candidates of five slots, worked by hand."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.generators.generation_metrics import generation_values


def vote(
    verifier: str, passed: bool | None, failure: str | None = None, *criteria: str
) -> dict[str, Any]:
    return {
        "verifier": verifier,
        "digest": "d",
        "passed": passed,
        "failure": failure,
        "failed_criteria": list(criteria),
    }


def candidate(
    slot: str,
    cell: tuple[str, str],
    accepted: float,
    cost: tuple[int, int],
    **about: Any,
) -> SampleScore:
    reason = about.pop("reason", None)
    attempt = about.pop("attempt", 1)
    numbers = {
        "unscored": float(math.isnan(accepted)),
        "accepted": accepted,
        "calls": cost[0],
        "tokens": cost[1],
    }
    score = Score(value=numbers, metadata={"slot_id": slot} | about).model_copy(
        update={"reason": reason}
    )
    facts = {
        "perturbation": cell[0],
        "intensity": cell[1],
        "planned": 6,
        "attempt": attempt,
    }
    return SampleScore(score=score, sample_metadata=facts)


CLEAR = ("P-Ambiguity", "LOW")
HARD = ("P-FalsePremise", "HIGH")
BOTH = [vote("v1", True), vote("v2", True)]
SCORES = [
    candidate(
        "s1",
        CLEAR,
        0,
        (3, 300),
        panel_share=1.0,
        votes=[vote("v1", True), vote("v2", False, None, "lever", "answer")],
    ),
    candidate("s1", CLEAR, 1, (3, 200), panel_share=1.0, votes=BOTH, attempt=2),
    candidate("s2", HARD, 1, (3, 100), panel_share=1.0, votes=BOTH),
    candidate(
        "s3",
        HARD,
        math.nan,
        (4, 50),
        panel_share=1.0,
        votes=[vote("v1", True), vote("v2", None, "timeout: 30 s")],
        reason="undecided",
    ),
    candidate("s4", HARD, math.nan, (1, 10), reason="not_written"),
    candidate("s5", CLEAR, 0, (1, 20), broken=["nothing_changed"]),
]


def test_the_hand_worked_run() -> None:
    assert generation_values(SCORES) == pytest.approx(
        {
            "n_candidates": 6,
            "n_items": 5,
            "n_accepted": 2,
            "n_unscored": 2,
            "acceptance": 2 / 4,
            "acceptance_n": 4,
            "acceptance_low": 2 / 5,
            "acceptance_high": 3 / 5,
            "acceptance_bounds_n": 5,
            "yield": 2 / 6,
            "yield_n": 6,
            "calls": 15,
            "calls_per_accepted": 15 / 2,
            "tokens_per_accepted": 680 / 2,
            "P-Ambiguity/acceptance": 1 / 3,
            "P-Ambiguity/n": 3,
            "LOW/acceptance": 1 / 3,
            "LOW/n": 3,
            "P-FalsePremise/acceptance": 1,
            "P-FalsePremise/n": 1,
            "HIGH/acceptance": 1,
            "HIGH/n": 1,
            # first attempts that the whole panel was to judge: s1, s2 and s3, in which
            # v2 said nothing
            "v1/pass_rate": 1,
            "v1/n": 3,
            "v1/votes": 4,
            "v1/missing": 0,
            "v2/pass_rate": 1 / 2,
            "v2/n": 2,
            "v2/votes": 3,
            "v2/missing": 1,
            "v2/missing/timeout": 1,
            "check/nothing_changed": 1,
            "criterion/lever": 1,
            "criterion/answer": 1,
            "n_undecided": 1,
            "n_not_written": 1,
            "n_declined": 0,
        }
    )


def test_a_verifier_that_was_never_sure_to_be_asked_has_no_pass_rate() -> None:
    asked = [
        candidate("s1", CLEAR, 1, (2, 10), votes=BOTH),
        candidate("s2", CLEAR, 1, (2, 10), panel_share=0.0),
    ]
    found = generation_values(asked)
    assert math.isnan(found["v1/pass_rate"])
    assert (found["v1/n"], found["v1/votes"]) == (0, 1)


def test_nothing_accepted_has_no_price_and_nothing_decided_no_rate() -> None:
    rejected = generation_values(SCORES[:1])
    assert (rejected["acceptance"], rejected["yield"]) == (0, 0)
    assert math.isnan(rejected["calls_per_accepted"])
    undecided = generation_values(SCORES[3:4])
    assert math.isnan(undecided["acceptance"])
    assert (undecided["acceptance_low"], undecided["acceptance_high"]) == (0, 1)


def test_a_log_without_a_plan_has_its_items_for_one() -> None:
    facts = {"perturbation": "P-Ambiguity", "intensity": "LOW"}
    scores = [
        one.model_copy(update={"sample_metadata": {**facts, "planned": None}})
        for one in SCORES[1:3]
    ]
    assert (
        generation_values(scores)["yield"],
        generation_values(scores)["yield_n"],
    ) == (1, 2)
