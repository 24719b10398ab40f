"""How relevant pages are, and which of them repeat others."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.near import Repeat, repeats
from refusalbench_tasks.collect.web.relevance import Passage, best_passages, passages_of, relevances
from tests.collect.web.pages import OUTLETS, SUBJECTS, paragraphs


def test_relevance_is_the_weighed_share_of_the_questions_words() -> None:
    # Four passages of four words (the mean length), k1 = 1.5: a word that occurs once has 1 / (1 + 1.5) = 0.4 of its
    # idf, times k1 + 1 = 2.5 is all of it. lock: in 2 of 4, idf = ln(1 + 2.5/2.5) = ln 2; barge: in 1 of 4,
    # ln(1 + 3.5/1.5) = ln(10/3); eel: in none, ln(1 + 4.5/0.5) = ln 10.
    passages = ["lock barge x y", "lock z x y", "u v x w", "a b c d"]
    lock, barge, eel = math.log(2), math.log(10 / 3), math.log(10)
    assert relevances("lock barge", passages) == pytest.approx([1, lock / (lock + barge), 0, 0], abs=1e-6)
    assert relevances("Lock, lock: eel!", passages) == pytest.approx([lock / (lock + eel)] * 2 + [0, 0], abs=1e-6)


def test_a_word_that_occurs_twice_counts_more_but_never_above_one() -> None:
    # of four words: 2 / (2 + 1.5) · 2.5 = 1.43 of the idf
    passages = ["lock lock x y", "lock z x y", "u v x w", "a b c d"]
    half = math.log(2)
    rest = math.log(10)
    assert relevances("lock", passages)[0] == 1.0
    assert relevances("lock eel", passages)[0] == pytest.approx(half * 5 / 3.5 / (half + rest), abs=1e-6)


@pytest.mark.parametrize(("question", "passages"), [("", ["a"]), ("?", ["a"]), ("a", []), ("a", ["", "…"])])
def test_without_words_nothing_is_relevant(question: str, passages: list[str]) -> None:
    assert relevances(question, passages) == [0.0] * len(passages)


WORDS = st.lists(st.sampled_from(["lock", "barge", "ferry", "seed", "橋", "Überfahrt", "the", "of"]), max_size=12).map(
    " ".join
)


@settings(max_examples=40)
@given(WORDS, st.lists(WORDS, max_size=6))
def test_relevance_lies_between_nought_and_one_and_is_nought_without_a_common_word(
    question: str, passages: list[str]
) -> None:
    for passage, score in zip(passages, relevances(question, passages), strict=True):
        assert 0.0 <= score <= 1.0
        assert (score > 0) == bool(set(question.split()) & set(passage.split()))


def test_the_best_passage_of_each_page_is_returned_with_its_own_relevance() -> None:
    texts = ["\n".join(paragraphs(subject, OUTLETS[0])) for subject in SUBJECTS]
    question = "How many barges of what tonnes does the Veldmoor lock let through?"
    found = best_passages(question, texts, longest=260)
    assert max(found, key=lambda one: one.relevance) is found[0]
    assert found[0].text.startswith("The Veldmoor lock lets through barges of at most 84 tonnes.")
    assert len(found[0].text) <= 260
    pool = [passage for text in texts for passage in passages_of(text, 260)]
    own = dict(zip(pool, relevances(question, pool), strict=True))
    assert [own[one.text] for one in found] == [one.relevance for one in found]
    assert found[0].relevance > 0.3 > max(one.relevance for one in found[1:])


def test_an_empty_page_has_an_empty_passage() -> None:
    assert best_passages("lock", ["", "the lock"])[0] == Passage("", 0.0)
    assert best_passages("lock", []) == []


def test_passages_are_whole_sentences() -> None:
    text = "One is here. Two is there.\n\nThree is away. Four."
    assert passages_of(text, 26) == ("One is here. Two is there.", "Three is away. Four.")
    assert passages_of(text, 25) == ("One is here.", "Two is there.", "Three is away. Four.")
    assert passages_of(text, 9) == ("One is", "Two is", "Three is", "Four.")
    assert passages_of("… — …") == ()


@settings(max_examples=40)
@given(st.text("ab. \n", max_size=120), st.integers(1, 60))
def test_passages_are_parts_of_the_text_in_order_within_the_limit(text: str, longest: int) -> None:
    place = 0
    for passage in passages_of(text, longest):
        assert 0 < len(passage) <= longest
        place = text.index(passage, place)


NUMBERS = [f"w{n}" for n in range(24)]
TEXT = " ".join(NUMBERS)  # 24 words, 20 five-grams


def test_one_word_in_twenty_four_changed_is_a_near_duplicate() -> None:
    # the changed word is in 5 of 20 grams: 15 shared, 25 in all
    changed = " ".join(["x" if word == "w12" else word for word in NUMBERS])
    assert repeats([TEXT, changed]) == [Repeat(1, 0, 15 / 25, 15 / 20)]
    assert repeats([TEXT, changed], near=0.61) == []


def test_an_excerpt_is_a_repeat_though_the_texts_are_unlike() -> None:
    excerpt = " ".join(NUMBERS[:9])  # 5 grams, all of them in the text
    assert repeats([TEXT, excerpt]) == [Repeat(1, 0, 5 / 20, 1.0)]
    assert repeats([TEXT, excerpt], within=1.1) == []


def test_the_gold_passage_stays_and_what_repeats_it_goes() -> None:
    other = "quite another text of which no five words are the same"
    assert repeats([other, TEXT, other], gold=TEXT.upper() + "!") == [Repeat(1, None, 1.0, 1.0), Repeat(2, 0, 1.0, 1.0)]


def test_what_was_dropped_drops_nothing_else() -> None:
    # b repeats a, and c repeats b but not a
    a, b, c = " ".join(NUMBERS[:16]), " ".join(NUMBERS[4:20]), " ".join(NUMBERS[8:24])
    assert [one.position for one in repeats([a, b, c], near=0.4, within=2)] == [1]


def test_texts_without_words_repeat_nothing() -> None:
    assert repeats(["", "…", "one word", "One word."], gold="") == [Repeat(3, 2, 1.0, 1.0)]


def test_outlets_that_differ_in_one_figure_are_found() -> None:
    texts = ["\n".join(paragraphs(SUBJECTS[0], outlet)) for outlet in OUTLETS]
    assert {one.of for one in repeats(texts)} == {0}
    others = ["\n".join(paragraphs(subject, OUTLETS[0])) for subject in SUBJECTS]
    assert [one.similarity for one in repeats(others, near=0.99, within=0.99)] == []
