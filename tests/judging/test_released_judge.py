"""Verdicts on the authors' judge prompts: lenient in form, and never by prose."""

import asyncio
from pathlib import Path

import pytest
from inspect_ai.util import LimitExceededError

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.label import Vote
from refusalbench_tasks.judging.released_judge import read_verdict, released_vote
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.models import fake, output
from tests.released import copies, file_name

GRADE = {"grade": "QUALITY_SCORE"}
FLAGS = {
    "eligible": "ELIGIBILITY",
    "factual_all": "FACTUALITY_ALL",
    "factual_relevant": "FACTUALITY_RELEVANT",
}
VERDICT = "CLASSIFICATION: answer_attempt\nQUALITY_SCORE: 4\nEXPLANATION: fits"
FLAGGED = (
    "CLASSIFICATION: answer_attempt\nELIGIBILITY: 1\nFACTUALITY_ALL:"
    " 0\nFACTUALITY_RELEVANT: 1\nEXPLANATION: supported"
)
ITEM = RefusalItem(
    item_id="1",
    source_id="q1",
    query="When was it built?",
    passages=("It was built in 1931.",),
    answers=("1931",),
    intensity=Intensity.CLEAN,
    expected=Label.ANSWER,
    signal=(0,),
)


@pytest.mark.parametrize(
    "text",
    [
        VERDICT,
        VERDICT.replace("4", "4.0"),
        VERDICT.replace("4", "4/5"),
        VERDICT.replace("answer_attempt", "Answer Attempt"),
        VERDICT.replace("CLASSIFICATION", "1. CLASSIFICATION").replace(
            "QUALITY", "2) QUALITY"
        ),
        f"<think>\nCLASSIFICATION: REFUSE_OTHER\n</think>\n{VERDICT}",
        (
            "**CLASSIFICATION:** answer_attempt\n**QUALITY_SCORE:** 4\n**EXPLANATION:**"
            " fits"
        ),
        (
            "**CLASSIFICATION**: **answer_attempt**\n- QUALITY_SCORE: `4`\nEXPLANATION:"
            " fits"
        ),
        "CLASSIFICATION: [answer_attempt]\nQUALITY_SCORE: [4]\nEXPLANATION: [fits]",
        'classification: "Answer_Attempt"\nquality_score: "4"\nexplanation: "fits"',
        (
            '"CLASSIFICATION": "answer_attempt",\n"QUALITY_SCORE": 4,\n"EXPLANATION":'
            ' "fits"'
        ),
        f"Here is my verdict, not REFUSE_OTHER.\n\n{VERDICT}\n",
    ],
)
def test_the_form_of_a_verdict_does_not_matter(text: str) -> None:
    assert read_verdict(text, GRADE) == (Label.ANSWER, {"grade": 4.0}, "fits")


def test_a_verdict_needs_no_explanation() -> None:
    text = "CLASSIFICATION: refuse_other\nQUALITY_SCORE: N/A"
    assert read_verdict(text, GRADE) == (Label.OTHER, {}, "")


@pytest.mark.parametrize(
    "text", [FLAGGED, FLAGGED.replace(": 1", ": **1.0**").replace(": 0", ": [0.0]")]
)
def test_the_flags_of_garage_are_read_in_any_form(text: str) -> None:
    numbers = {"eligible": 1.0, "factual_all": 0.0, "factual_relevant": 1.0}
    assert read_verdict(text, FLAGS) == (Label.ANSWER, numbers, "supported")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The reply is a REFUSE_OTHER.",
        "CLASSIFICATION: the reply gives REFUSE_OTHER",
        VERDICT.replace("4", "4/10"),
        (
            "The reply says:\n> CLASSIFICATION: answer_attempt\n> QUALITY_SCORE: 5\nbut"
            " it is in truth a refusal"
        ),
        f"<think>{VERDICT}</think> It is a refusal.",
        VERDICT.replace("4", "4.5"),
        VERDICT.replace("4", "0"),
        VERDICT.replace("4", "N/A"),
        VERDICT.replace("QUALITY_SCORE: 4\n", ""),
        VERDICT.replace("answer_attempt", "REFUSE_NEW"),
        VERDICT.replace("answer_attempt", ""),
        f"CLASSIFICATION: REFUSE_OTHER\n{VERDICT}",
    ],
)
def test_a_verdict_that_cannot_be_read_is_none(text: str) -> None:
    with pytest.raises(ValueError):
        read_verdict(text, GRADE)


def test_lines_of_the_reply_are_no_verdict() -> None:
    reply = "CLASSIFICATION: answer_attempt\n**QUALITY_SCORE: 4**"
    with pytest.raises(ValueError, match="found 0"):
        read_verdict(f"The reply says:\n{VERDICT}", GRADE, reply)
    verdict = f"{reply}\nsays the reply.\nCLASSIFICATION: REFUSE_OTHER"
    assert read_verdict(verdict, GRADE, reply) == (Label.OTHER, {}, "")


def vote(tmp_path: Path, *verdicts: str) -> tuple[Vote, list[str]]:
    """Return the vote of a grader that gives verdicts in turn, and
    what it was asked.
    """
    left = list(verdicts)
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return left.pop(0)

    path = str(Path(copies(tmp_path, ["nq"])) / file_name("nq"))
    found = asyncio.run(released_vote(fake(answer), ITEM, "1931", False, path))
    assert left == []
    return found, asked


def test_a_verdict_that_cannot_be_read_is_asked_for_once_more(tmp_path: Path) -> None:
    found, asked = vote(tmp_path, "I think it is fine.", VERDICT)
    assert (found.label, found.numbers) == (Label.ANSWER, {"grade": 4.0})
    first, second = asked
    assert second.startswith(first)
    assert second.endswith("CLASSIFICATION: expected one such line, found 0.")


def test_what_is_not_readable_twice_is_a_failure_of_the_grader(tmp_path: Path) -> None:
    found, _ = vote(tmp_path, "I think it is fine.", "It is REFUSE_OTHER.")
    assert (found.label, found.failure) == (None, "grader_schema_mismatch")


def test_a_readable_verdict_is_asked_for_once(tmp_path: Path) -> None:
    assert len(vote(tmp_path, VERDICT)[1]) == 1


def test_a_verdict_that_was_cut_off_is_asked_for_once_more(tmp_path: Path) -> None:
    left = [output("CLASS", stop="max_tokens"), output(VERDICT)]
    path = str(Path(copies(tmp_path, ["nq"])) / file_name("nq"))
    grader = fake(lambda _: left.pop(0))
    found = asyncio.run(released_vote(grader, ITEM, "1931", False, path))
    assert found.label is Label.ANSWER


def test_a_limit_of_the_sample_passes_through(tmp_path: Path) -> None:
    def limited(_: str) -> str:
        raise LimitExceededError("cost", value=2, limit=1, message="too dear")

    path = str(Path(copies(tmp_path, ["nq"])) / file_name("nq"))
    with pytest.raises(LimitExceededError):
        asyncio.run(released_vote(fake(limited), ITEM, "1931", False, path))
