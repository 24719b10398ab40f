"""Which texts are nearest to a query."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.corpus.index import (
    Index,
    tokens_of,
)

TEXTS = (
    "The mill grinds rye.",
    "The mill is old.",
    "Nothing of the kind.",
    "The mill is old.",
)


def test_the_scores_are_bm25_by_hand() -> None:
    # idf(rye) = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) = ln 2; tf 1, length 2, average (2 +
    # 4) / 2 = 3; tf part, Lucene: 1 / (1 + 1.5 (1 - 0.75 + 0.75 * 2 / 3)) = 1 / 2.125
    ((position, score),) = Index(("rye bread", "oats and barley bread")).nearest(
        "rye", 5
    )
    assert position == 0
    assert score == pytest.approx(math.log(2) / 2.125, rel=1e-6)


def test_the_nearest_come_first_and_equal_ones_by_position() -> None:
    index = Index(TEXTS)
    assert [position for position, _ in index.nearest("the old mill", 9)] == [
        1,
        3,
        0,
        2,
    ]
    assert [position for position, _ in index.nearest("the old mill", 1)] == [1]
    first, second = index.nearest("old", 2)
    assert first[1] == second[1]


def test_what_shares_no_word_is_not_listed() -> None:
    index = Index(TEXTS)
    assert [position for position, _ in index.nearest("rye", 4)] == [0]
    assert (
        index.nearest("zebra", 4)
        == index.nearest("", 4)
        == index.nearest("rye", 0)
        == []
    )


def test_nothing_to_search_gives_nothing() -> None:
    assert Index(()).nearest("rye", 3) == Index(("", "!?")).nearest("rye", 3) == []
    assert Index(("", "rye")).nearest("rye", 3)[0][0] == 1


def test_words_are_compared_without_case_and_width() -> None:
    assert tokens_of("Ｍill-race, STRASSE straße 3.5") == [
        "mill",
        "race",
        "strasse",
        "strasse",
        "3",
        "5",
    ]


def test_scripts_without_spaces_are_searched_by_pairs_of_characters() -> None:
    assert tokens_of("水車小屋 x") == ["水車", "車小", "小屋", "x"]
    assert tokens_of("水") == ["水"]
    assert (
        Index(("古い水車がある。", "新しい橋がある。")).nearest("水車はいつ？", 1)[0][0]
        == 0
    )


@given(
    st.lists(st.text("ab ", max_size=8), max_size=9),
    st.text("abc ", max_size=6),
    st.integers(0, 10),
)
def test_a_shorter_list_is_the_beginning_of_the_longer_one(
    texts: list[str], query: str, k: int
) -> None:
    index = Index(texts)
    found = index.nearest(query, len(texts) + 1)
    assert index.nearest(query, k) == found[:k]
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
    assert all(
        set(tokens_of(query)) & set(tokens_of(texts[position])) for position, _ in found
    )


def test_a_text_that_the_index_has_not_is_scored_as_if_it_had_been_there() -> None:
    index = Index(TEXTS)
    for query in ("the old mill", "rye", "old old mill", "zebra"):
        assert index.scores_of(query, TEXTS) == pytest.approx(index.scores(query))
    (unseen,) = index.scores_of("mill zebra", ["A zebra."])
    assert unseen > 0


def test_a_word_is_counted_once_a_text() -> None:
    index = Index(("rye rye", "oats", "rye"))
    assert [index.frequency(word) for word in ("rye", "oats", "zebra")] == [2, 1, 0]
    assert Index(()).frequency("rye") == 0
