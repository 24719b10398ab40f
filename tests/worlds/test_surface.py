"""What counted words and numbers on the surface tell of rows."""

from random import Random
from typing import Any

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.rows import as_row
from refusalbench_tasks.worlds.shortcuts import LIMITS, shortcuts
from refusalbench_tasks.worlds.surface import differences, distinct_2, skeletons


@pytest.fixture(scope="module")
def made() -> list[dict[str, Any]]:
    return [as_row(make_quad(21, index), place) for index in range(32) for place in range(4)]


def test_the_share_of_different_bigrams() -> None:
    # a b, b a, a b | a b: two of four are different
    assert distinct_2(["A b a b", "a B"]) == 2 / 4


def test_a_skeleton_has_marks_for_names_and_numbers() -> None:
    assert skeletons(["Velmor Clinic has 1,874 beds. Hurn Surgery has 12 beds."]) == {"@ @ has # beds."}


def test_the_surface_of_quads_is_alike_and_a_planted_difference_is_found(made: list[dict[str, Any]]) -> None:
    found = differences(made)
    assert all(p > 0.01 for p in found.values()), found
    longer = [
        {**row, "perturbed_context": row["perturbed_context"] + " Indeed so it is." * 20}
        if row["expected_rag_behavior"] == Label.ANSWER
        else row
        for row in made
    ]
    assert differences(longer)["passage words"] < 0.01


def test_counted_words_tell_nothing_of_quads_and_a_planted_word_is_found(made: list[dict[str, Any]]) -> None:
    rng = Random(0)
    marked = [
        {**row, "perturbed_context": row["perturbed_context"] + " Indeed so."}
        if (row["expected_rag_behavior"] == Label.ANSWER) == (rng.random() < 0.95)
        else row
        for row in made
    ]
    told = {(one.sees, one.classifier): one.accuracy for one in shortcuts(marked)}
    assert told["passage", "bag of n-grams"] > 0.8
    assert told["question", "bag of n-grams"] <= LIMITS["question"] + 0.1  # few rows
