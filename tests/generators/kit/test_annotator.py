"""The blind annotator: what it sees, how it replies, and what speaks
against an item.
"""

from typing import Any

import anyio
import pytest

from refusalbench_tasks.generators.kit.annotator import (
    ANSWERED,
    OTHERWISE,
    UNANSWERED,
    Annotation,
    annotate,
    annotator_prompt,
    objection,
)
from refusalbench_tasks.taxonomy import CODES, Label
from tests.models import as_json, fake, part, scripted

GOOD: dict[str, Any] = {
    "why": "It is there.",
    "label": "ANSWER_CORRECTLY",
    "answer": "forty",
    "quotes": ["forty cars"],
}


def annotated(*answers: Any, aliases: tuple[str, ...] = ("40", "forty")) -> Annotation:
    said = [as_json(**one) if isinstance(one, dict) else one for one in answers]
    return anyio.run(
        annotate, scripted(*said), "How many?", ["It takes forty cars."], aliases
    )


def test_the_prompt_holds_question_passages_and_codes_and_nothing_else() -> None:
    prompt = annotator_prompt("How many?", ["It takes forty cars.", "It is blue."])
    assert part(prompt, "QUESTION") == "How many?"
    assert part(prompt, "PASSAGES") == "[1] It takes forty cars.\n\n[2] It is blue."
    assert all(f"{code.label}: {code.meaning}." in prompt for code in CODES)
    assert "LOW" not in prompt


def test_label_answer_and_quotes_are_noted() -> None:
    found = annotated(GOOD)
    assert (found.label, found.answer, found.quotes, found.gold) == (
        Label.ANSWER,
        "forty",
        ("forty cars",),
        True,
    )
    assert (found.annotator, found.spent.calls) == ("mockllm/fake", 1)
    assert annotated(GOOD | {"label": "REFUSE_OTHER", "answer": ""}).gold is None


def test_a_label_that_does_not_fit_the_answer_is_asked_for_once_more() -> None:
    assert annotated(GOOD | {"answer": ""}, GOOD).spent.calls == 2
    lost = annotated(GOOD | {"label": "REFUSE_OTHER"}, "no")
    assert (lost.label, lost.failure) == (None, "grader_no_payload")


def test_a_failed_call_is_a_missing_annotation() -> None:
    def dead(_: str) -> Any:
        raise ConnectionError("502")

    found = anyio.run(annotate, fake(dead), "How many?", ["So."], ())
    assert (found.label, found.failure) == (None, "ConnectionError: 502")


@pytest.mark.parametrize(
    ("label", "gold", "answerable", "against"),
    [
        (Label.ANSWER, True, True, None),
        (Label.ANSWER, None, True, None),
        (Label.ANSWER, False, True, OTHERWISE),
        (Label.MISSING, None, True, UNANSWERED),
        (Label.ANSWER, True, False, f"{ANSWERED[:-1]}: 'x'."),
        (Label.ANSWER, False, False, f"{ANSWERED[:-1]}: 'x'."),
        (Label.MISSING, None, False, None),
        (None, None, True, None),
    ],
)
def test_only_what_decides_the_gold_label_is_an_objection(
    label: Label | None, gold: bool | None, answerable: bool, against: str | None
) -> None:
    assert (
        objection(
            Annotation(digest="d", label=label, answer="x", gold=gold), answerable
        )
        == against
    )
