"""The relevance of a text to a question, as the released builder of BLUFF-1000 computes it."""

import sys
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.paper_relevance import keywords, relevance
from refusalbench_tasks.errors import DataError
from tests.golden import golden, needs_golden

# found, not imported: that takes seconds, which one worker spends, and only if it runs these tests
pytestmark = [
    pytest.mark.skipif(not (find_spec("rapidfuzz") and find_spec("sklearn")), reason="needs rapidfuzz, scikit-learn"),
    pytest.mark.xdist_group("relevance"),
]


def test_keywords_are_words_of_three_letters_that_are_no_stop_words() -> None:
    assert keywords("How did Ib's old ox, the RED ox-cart of 1847, and the red barn burn?") == [
        "did", "old", "red", "cart", "red", "barn", "burn",
    ]  # fmt: skip


def test_score_is_six_parts_keywords_and_four_parts_likeness() -> None:
    # keywords: gate, built, stell. Two of them occur, "gate" inside "gateway": 0.6 * 2 / 3 = 0.4.
    # Likeness: no word in common, so RapidFuzz compares "Gate Stell built" with "a gateway near stelling" as strings.
    from rapidfuzz.fuzz import token_set_ratio

    text = "a gateway near stelling"
    likeness = token_set_ratio("Gate Stell built", text) / 100
    assert 0 < likeness < 1
    assert relevance("Gate Stell built", text) == pytest.approx(0.4 + 0.4 * likeness)


def test_a_text_with_all_words_of_the_question_has_score_one() -> None:
    assert relevance("red barn burnt", "burnt again, the red barn burnt") == pytest.approx(1.0)


def test_a_question_without_keywords_has_score_nought() -> None:
    assert relevance("Is it so?", "Is it so?") == 0.0


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_score_lies_between_nought_and_one(question: str, text: str) -> None:
    assert 0.0 <= relevance(question, text) <= 1.0


@needs_golden
def test_scores_are_those_of_the_released_builder() -> None:
    for case in golden("relevance_score")["cases"]:
        assert keywords(case["question"]) == case["keywords"]
        assert relevance(case["question"], case["text"]) == pytest.approx(case["score"], abs=1e-12)


def test_a_missing_library_is_one_line_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.fuzz", None)
    with pytest.raises(DataError, match=r"relevance: needs .*pip install 'refusalbench-tasks\[relevance\]'"):
        relevance("red barn", "a barn")
