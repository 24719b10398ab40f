"""The grader of a free answer is read strictly."""

import asyncio
from typing import Any

import pytest

from refusalbench_tasks.judging.correctness import (
    Grade,
    Named,
    attribute,
    combine_wording,
    grade_answer,
)
from refusalbench_tasks.replies.answer_line import ExplainedReply
from tests.models import fake, part, scripted

GOOD = {"explanation": "x", "behaviour": "ANSWER", "correctness": 0.8}


def graded(answer: Any, protocol: Any = "paper") -> Grade:
    return asyncio.run(
        grade_answer(
            scripted(answer, answer),
            "Who?",
            "Ada",
            ExplainedReply("Ada Brook", ""),
            protocol,
        )
    )


def test_a_number_from_0_to_1_is_the_grade() -> None:
    for number in (0, 0.8, 1):
        assert graded(GOOD | {"correctness": number}).correctness == number


@pytest.mark.parametrize(
    "bad",
    [
        True,
        False,
        "0.8",
        "1",
        1.01,
        -0.1,
        float("nan"),
        float("inf"),
        10**400,
        [1.0],
        None,
    ],
)
def test_anything_else_is_no_grade(bad: Any) -> None:
    for protocol, verdict in (("paper", GOOD), ("official-code", {"explanation": "x"})):
        found = graded(verdict | {"correctness": bad}, protocol)
        assert (found.refused, found.correctness) == (None, None)
        # a number longer than any that is asked for is no JSON of ours
        assert found.failure in ("grader_schema_mismatch", "grader_no_payload")


def worded(verdict: dict[str, Any]) -> Grade:
    reply = ExplainedReply("Ada Brook", "")
    return asyncio.run(
        grade_answer(scripted(verdict, verdict), "Who?", "Ada", reply, "paper", "judge")
    )


def test_the_same_call_tells_how_an_answer_is_worded() -> None:
    found = worded(GOOD | {"decisiveness": 0.3, "named": "GAP"})
    assert (found.correctness, found.decisiveness, found.named) == (0.8, 0.3, "GAP")
    refusal = {
        "explanation": "x",
        "behaviour": "REFUSAL",
        "correctness": None,
        "decisiveness": 0.5,
        "named": "CONFLICT",
    }
    found = worded(refusal)
    assert (found.refused, found.decisiveness, found.named) == (True, None, "CONFLICT")


@pytest.mark.parametrize("bad", [True, "0.8", 1.01, -0.1, float("nan"), [1.0], None])
def test_a_bad_number_of_wording_costs_itself_alone(bad: Any) -> None:
    found = worded(GOOD | {"decisiveness": bad, "named": "NEITHER"})
    assert (found.refused, found.correctness, found.decisiveness, found.named) == (
        False,
        0.8,
        None,
        "NEITHER",
    )
    assert found.failure is None


@pytest.mark.parametrize("bad", ["conflict", "BOTH", 1, None, ["GAP"]])
def test_a_bad_label_of_wording_costs_itself_alone(bad: Any) -> None:
    found = worded(GOOD | {"decisiveness": 0.5, "named": bad})
    assert (found.correctness, found.decisiveness, found.named) == (0.8, 0.5, None)
    assert worded(GOOD).decisiveness is None


def test_a_panel_has_the_median_and_what_most_say() -> None:
    panel: list[tuple[float | None, Named | None]] = [
        (0.2, "GAP"),
        (0.9, "GAP"),
        (0.4, "CONFLICT"),
        (None, None),
    ]
    grades = [
        Grade(grader="g", refused=False, decisiveness=d, named=n) for d, n in panel
    ]
    assert combine_wording(grades) == (0.4, "GAP")
    assert combine_wording(grades[1:3]) == (0.65, None)
    assert combine_wording([]) == (None, None)


CLAIMS = ["It opened in 1987.", "It is long."]
SOURCES = ["The bridge opened in 1987."]


def supported(*flags: Any) -> list[bool] | None:
    def verdict(prompt: str) -> dict[str, Any]:
        assert part(prompt, "CLAIMS").startswith("[1] It opened in 1987.")
        assert part(prompt, "SOURCES") == "[1] The bridge opened in 1987."
        return {"explanation": "x", "supported": list(flags)}

    return asyncio.run(attribute(fake(verdict), CLAIMS, SOURCES))


def test_each_claim_has_a_verdict() -> None:
    assert supported(True, False) == [True, False]


@pytest.mark.parametrize("flags", [(), (True,), (True, True, False), (True, 1)])
def test_a_verdict_for_other_than_every_claim_is_none(flags: tuple[Any, ...]) -> None:
    assert supported(*flags) is None
