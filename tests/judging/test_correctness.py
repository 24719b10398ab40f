"""The grader of a free answer is read strictly."""

import asyncio
from typing import Any

import pytest

from refusalbench_tasks.judging.correctness import Grade, grade_answer
from refusalbench_tasks.replies.explained import ExplainedReply
from tests.models import as_json, scripted

GOOD = {"explanation": "x", "behaviour": "ANSWER", "correctness": 0.8}


def graded(answer: Any, protocol: Any = "paper") -> Grade:
    return asyncio.run(grade_answer(scripted(answer, answer), "Who?", "Ada", ExplainedReply("Ada Brook", ""), protocol))


def test_a_number_from_0_to_1_is_the_grade() -> None:
    for number in (0, 0.8, 1):
        assert graded(GOOD | {"correctness": number}).correctness == number


@pytest.mark.parametrize("bad", [True, False, "0.8", "1", 1.01, -0.1, float("nan"), float("inf"), 10**400, [1.0], None])
def test_anything_else_is_no_grade(bad: Any) -> None:
    for protocol, verdict in (("paper", GOOD), ("official-code", {"explanation": "x"})):
        found = graded(verdict | {"correctness": bad}, protocol)
        assert (found.refused, found.correctness) == (None, None)
        assert found.failure == "grader_schema_mismatch"


def test_a_doubled_key_is_no_grade() -> None:
    text = as_json(**GOOD)[:-1] + ', "behaviour": "REFUSAL"}'
    assert graded(text).failure == "grader_no_payload"
