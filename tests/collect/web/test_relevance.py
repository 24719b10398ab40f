"""How relevant pages are."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.relevance import (
    best_passages,
    cut,
    cut_passages,
    relevances,
)
from tests.collect.pages import LOCKS, RELIABLE, text_of


def test_relevance_is_the_weighed_share_of_the_questions_words() -> None:
    # Four passages of four words (the mean length), k1 = 1.5: a word that occurs once
    # has 1 / (1 + 1.5) = 0.4 of its idf, times k1 + 1 = 2.5 is all of it. lock: in 2 of
    # 4, idf = ln(1 + 2.5/2.5) = ln 2; barge: in 1 of 4, ln(1 + 3.5/1.5) = ln(10/3);
    # eel: in none, ln(1 + 4.5/0.5) = ln 10.
    passages = ["lock barge x y", "lock z x y", "u v x w", "a b c d"]
    lock = math.log(2)
    barge = math.log(10 / 3)
    eel = math.log(10)
    assert relevances("lock barge", passages) == pytest.approx(
        [1, lock / (lock + barge), 0, 0], abs=1e-6
    )
    assert relevances("Lock, lock: eel!", passages) == pytest.approx(
        [lock / (lock + eel)] * 2 + [0, 0], abs=1e-6
    )
    # twice in four words: 2 / (2 + 1.5) · 2.5 = 1.43 of the idf, and never above 1
    twice = ["lock lock x y", *passages[1:]]
    assert relevances("lock", twice)[0] == 1.0
    assert relevances("lock eel", twice)[0] == pytest.approx(
        lock * 5 / 3.5 / (lock + eel), abs=1e-6
    )


WORDS = st.lists(
    st.sampled_from(["lock", "barge", "ferry", "橋", "Überfahrt", "the", "of"]),
    max_size=12,
).map(" ".join)


@settings(max_examples=40)
@given(WORDS, st.lists(WORDS, max_size=6))
def test_relevance_is_from_0_to_1_and_0_without_a_common_word(
    question: str, passages: list[str]
) -> None:
    for passage, score in zip(passages, relevances(question, passages), strict=True):
        assert 0.0 <= score <= 1.0
        assert (score > 0) == bool(set(question.split()) & set(passage.split()))


def test_the_best_passage_of_each_page_is_returned_with_its_own_relevance() -> None:
    texts = [text_of(lock, RELIABLE[0]) for lock in LOCKS[:10]]
    question = "Which is the heaviest barge that the Velmoor lock may take?"
    found = best_passages(question, texts, longest=260)
    assert max(found, key=lambda one: one[1]) is found[0]
    assert found[0][0].startswith(
        "The register of inland works names the heaviest barge"
    )
    pool = [passage for text in texts for passage in cut_passages(text, 260)]
    own = dict(zip(pool, relevances(question, pool), strict=True))
    assert [own[text] for text, _ in found] == [score for _, score in found]
    assert best_passages("lock", ["", "the lock"])[0] == ("", 0.0)


def test_passages_are_whole_sentences() -> None:
    text = "One is here. Two is there.\n\nThree is away. Four."
    assert cut_passages(text, 26) == (
        "One is here. Two is there.",
        "Three is away. Four.",
    )
    assert cut_passages(text, 25) == (
        "One is here.",
        "Two is there.",
        "Three is away. Four.",
    )
    assert cut_passages(text, 9) == ("One is", "Two is", "Three is", "Four.")
    assert cut_passages("… — …") == ()


@given(st.text(max_size=200), st.integers(0, 220))
def test_a_cut_is_the_beginning_of_a_text_and_ends_with_a_whole_word(
    text: str, most: int
) -> None:
    kept = cut(text, most)
    assert text.startswith(kept)
    assert len(kept) <= most
    assert kept == text or not kept or text[len(kept)].isspace()
