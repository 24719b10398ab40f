"""Changes to passages, each found in the original."""

import pytest

from refusalbench_tasks.generators.edits import Edited, PassageReplacement, edited


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
