"""Whether a question back is about the ambiguity of its row, by graders."""

import asyncio
from typing import Any

import pytest
from inspect_ai.model import Model

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.clarification import (
    asks_about_ambiguity,
    clarification_prompt,
    majority,
)
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.models import fake, part

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


def judged(*verdicts: Any) -> bool | None:
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
    assert judged(*verdicts) is about


def test_a_verdict_that_is_not_known_has_no_weight() -> None:
    assert majority([True, None, None]) is True
    assert majority([None, None]) is None
