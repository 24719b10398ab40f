"""The judge's verdict is validated; what fails is no verdict."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import Model

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.label import (
    LABEL_ONLY,
    Vote,
    asks_about_ambiguity,
    clarification_prompt,
    grade_rubric,
    judge_prompt,
    judge_reply,
    majority,
)
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.models import fake, part, scripted

GOOD = {"explanation": "it answers", "label": "ANSWER_ATTEMPT", "grade": 5}


def judged(
    *answers: Any, graded: bool = True, references: tuple[str, ...] = ("1987",)
) -> Vote:
    rubric = grade_rubric(references) if graded else LABEL_ONLY
    return asyncio.run(judge_reply(scripted(*answers), "When?", "It was 1987.", rubric))


def test_a_grade_counts_only_for_an_attempt() -> None:
    assert judged(GOOD | {"label": "REFUSE_OTHER"}).numbers == {}
    assert judged(GOOD | {"grade": None}, references=()).numbers == {}


def test_label_only_verdicts_take_no_grade() -> None:
    label_only = {"explanation": "x", "label": "REFUSE_INFO_MISSING_IN_CONTEXT"}
    assert judged(label_only, graded=False).label is Label.MISSING
    assert judged(GOOD, GOOD, graded=False).failure == "grader_schema_mismatch"


def test_the_prompt_holds_query_reply_and_references_and_no_gold() -> None:
    prompt = judge_prompt("When?", "It was 1987.", grade_rubric(("1987", "in 1987")))
    assert part(prompt, "QUESTION") == "When?"
    assert part(prompt, "REPLY") == "It was 1987."
    assert part(prompt, "REFERENCES") == "1987\nin 1987"
    assert "ANSWER_CORRECTLY" not in prompt
    label_only = judge_prompt("When?", "It was 1987.", LABEL_ONLY)
    assert "REFERENCES" not in label_only
    assert "grade" not in label_only.lower().replace("about grades", "")


def test_verdicts_of_a_small_model_behind_a_server_without_tools_are_read() -> None:
    """Recorded from Qwen2.5-Coder-1.5B-Instruct (Q4_K_M, Apache-2.0) behind llama.cpp,
    asked about known replies.
    """
    lines = (
        (Path(__file__).parent / "recorded_verdicts.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    recorded = [json.loads(line) for line in lines]
    assert len(recorded) == 8 + 1
    for record in recorded:
        completion = record["completion"]
        vote = judged(completion, completion, graded=False)
        if record["label"] is None:  # a written call of a tool that does not exist
            assert vote.failure == "grader_schema_mismatch"
        else:
            assert (vote.label, vote.failure) == (Label(record["label"]), None), record


def test_a_verdict_says_whether_a_refusal_asks_back() -> None:
    refusal = {"explanation": "x", "label": "REFUSE_AMBIGUOUS_QUERY"}
    assert judged(refusal | {"asks_back": True}, graded=False).asks_back is True
    assert judged(refusal | {"asks_back": False}, graded=False).asks_back is False
    # an answer with a question behind it is an answer
    assert judged(GOOD | {"asks_back": True}).asks_back is False
    without_codes = LABEL_ONLY.without_codes()
    plain = {"explanation": "x", "label": "REFUSAL", "asks_back": True}
    vote = asyncio.run(judge_reply(scripted(plain), "When?", "Which?", without_codes))
    assert (vote.label, vote.asks_back) == (Label.OTHER, True)


def test_a_part_on_asking_back_that_is_missing_or_wrong_costs_itself_alone() -> None:
    refusal = {"explanation": "x", "label": "REFUSE_AMBIGUOUS_QUERY"}
    for part_of_it in ({}, {"asks_back": None}, {"asks_back": "which bridge"}):
        vote = judged(refusal | part_of_it, graded=False)
        assert (vote.label, vote.asks_back) == (Label.AMBIGUOUS, None)


ITEM = RefusalItem(
    item_id="i",
    source_id="s",
    query="When did the Tarn bridge open?",
    passages=("The road bridge opened in 1987, the rail bridge in 1931.",),
    perturbation=PerturbationClass.AMBIGUITY,
    intensity=Intensity.HIGH,
    expected=Label.AMBIGUOUS,
    lever="Pure Homonymy Clash",
    ambiguity_explanation="Two bridges have the name {{query}}.",
)
REPLY = "Which of the two bridges do you mean?"


def grader(about: Any) -> Model:
    return fake(lambda _: {"explanation": "x", "asks_about_the_ambiguity": about})


def clarified(*verdicts: Any) -> bool | None:
    graders = [grader(about) for about in verdicts]
    return asyncio.run(asks_about_ambiguity(graders, ITEM, REPLY))


def test_the_prompt_holds_the_row_and_what_it_says_of_its_ambiguity() -> None:
    prompt = clarification_prompt(ITEM, REPLY)
    assert part(prompt, "REPLY") == REPLY
    assert part(prompt, "QUESTION") == ITEM.query
    assert part(prompt, "PASSAGES") == f"[1] {ITEM.passages[0]}"
    known = "Pure Homonymy Clash\nTwo bridges have the name {{query}}."
    assert part(prompt, "AMBIGUITY") == known
    unknown = ITEM.model_copy(update={"lever": "", "ambiguity_explanation": ""})
    prompt = clarification_prompt(unknown, REPLY)
    assert part(prompt, "AMBIGUITY") == "(not known)"


@pytest.mark.parametrize(
    ("verdicts", "about"),
    [
        ((True,), True),
        ((False,), False),
        ((True, True, False), True),
        ((True, False), None),
        (("maybe",), None),
        (("maybe", False), False),
        ((), None),
    ],
)
def test_most_of_the_valid_verdicts_count(
    verdicts: tuple[Any, ...], about: bool | None
) -> None:
    assert clarified(*verdicts) is about


def test_a_verdict_that_is_not_known_has_no_weight() -> None:
    assert majority([True, None, None]) is True
    assert majority([None, None]) is None
