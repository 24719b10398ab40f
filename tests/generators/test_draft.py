"""What a writer returns, and the candidate that follows from it."""

from typing import Any

import pytest
from pydantic import ValidationError

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.draft import (
    Edited,
    PassageReplacement,
    WholeDraft,
    candidate_of,
    drafts_schema,
    edited,
)
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

BASE = RefusalItem(
    item_id="x",
    source_id="x",
    query="Who built the mill?",
    passages=("It was built by Ole.", "It rained."),
    answers=("Ole",),
    signal=(0,),
    expected=Label.ANSWER,
)
STATED = {"lever": "L", "perturbed_query": " Who? "}
EDITED = STATED | {
    "edits": [{"passage": 1, "find": "by Ole", "replace": "long ago"}],
    "evidence": {"removed": ["by Ole"]},
}


def draft(**changes: Any) -> Any:
    schema = drafts_schema(
        PerturbationClass.MISSING_INFO,
        (Intensity.HIGH,),
        several=True,
        form="edits",
    )
    entry = EDITED | changes | {"intensity": "HIGH"}
    try:
        return schema.model_validate({"items": [entry]}).items[0]
    except ValidationError:
        return None


def test_edits_and_an_added_sentence_end_in_new_passages() -> None:
    candidate = candidate_of(draft(ground_added="Nobody\n built it."), BASE)
    assert candidate.query == "Who?"
    changed = "It was built long ago."
    assert candidate.passages == (f"{changed} Nobody built it.", "It rained.")
    assert candidate.ungrounded == (changed, "It rained.")


def test_whole_passages_are_put_in_once_each_and_wrong_numbers_named() -> None:
    passages = [{"passage": k, "text": f"New {k}."} for k in (2, 2, 9)]
    whole = WholeDraft.model_validate(STATED | {"passages": passages})
    candidate = candidate_of(whole, BASE)
    assert candidate.passages == (BASE.passages[0], "New 2.")
    assert candidate.out_of_range == (2, 9)


def test_the_evidence_of_another_class_is_no_draft() -> None:
    assert draft(evidence={"operator": "may", "criterion_missing": "A norm."}) is None


def test_a_lever_that_is_not_applicable_needs_a_reason_and_no_item() -> None:
    declined: dict[str, Any] = {"applicable": False, "evidence": None}
    assert draft(**declined) is None
    assert not draft(**declined, why_not="There is no name.").applicable


def test_an_item_without_its_question_is_none() -> None:
    with pytest.raises(ValidationError, match="perturbed_query: required"):
        WholeDraft.model_validate({"lever": "L", "passages": []})


def change(passage: int, find: str, replace: str) -> PassageReplacement:
    return PassageReplacement(passage=passage, find=find, replace=replace)


PASSAGES = ("The mill was built in 1820. It stands by the river.", "It rained.")


@pytest.mark.parametrize(
    ("find", "replace", "first"),
    [
        ("in 1820", "late", "The mill was built late."),
        (" in 1820", "", "The mill was built."),
        # two spaces that a cut leaves become one
        ("in 1820", "", "The mill was built ."),
        # spacing does not matter where the words are not found as they are
        ("was  built\n in", "was begun in", "The mill was begun in 1820."),
    ],
)
def test_a_change_is_made_where_its_words_stand_once(
    find: str, replace: str, first: str
) -> None:
    result = edited(PASSAGES, [change(1, find, replace)])
    assert result == Edited((f"{first} It stands by the river.", "It rained."))


@pytest.mark.parametrize("find", ["i", "the mill", " "])
def test_what_stands_there_not_once_is_not_changed(find: str) -> None:
    assert edited(PASSAGES, [change(1, find, "x")]) == Edited(PASSAGES, (1,))


def test_overlaps_and_passages_that_do_not_exist_are_numbered() -> None:
    changes = [
        change(1, "built in", "begun in"),
        change(1, "in 1820", "late"),
        change(9, "It", "That"),
        change(2, "rained", "snowed"),
    ]
    result = edited(PASSAGES, changes)
    assert result.passages[1] == "It snowed."
    assert result.passages[0].startswith("The mill was begun in 1820.")
    assert (result.not_found, result.no_passage) == ((2,), (9,))
