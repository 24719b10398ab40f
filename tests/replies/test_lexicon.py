"""The hedge matcher: whole words, the longest term, no overlaps, and the traps a list
can avoid.
"""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon

HEDGES, BOOSTERS = bundled_lexicon("v1"), bundled_lexicon("boosters")
DIMENSIONS = {
    "modal",
    "appearance",
    "epistemic",
    "approximation",
    "conditionality",
    "limitation",
}
SENTENCE = "the bridge may be perhaps about 40 likely it appears that no doubt river"
WORDS = st.sampled_from(SENTENCE.split())


def terms(text: str, lexicon: Lexicon = HEDGES) -> list[str]:
    return [match.term for match in lexicon.find(text)]


def test_the_bundled_list_has_350_terms_in_six_dimensions() -> None:
    assert len(HEDGES.terms) == len({term for term, _ in HEDGES.terms}) == 350
    assert {dimension for _, dimension in HEDGES.terms} == DIMENSIONS


def test_every_term_is_found_as_itself() -> None:
    for term, dimension in HEDGES.terms + BOOSTERS.terms:
        lexicon = HEDGES if (term, dimension) in HEDGES.terms else BOOSTERS
        text = f"x {term} 40 y" if term in lexicon.only_before_number else f"x {term} y"
        assert [(m.term, m.dimension) for m in lexicon.find(text)] == [
            (term, dimension)
        ], term


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("significant American mayor, maybe", ["maybe"]),
        ("It appears that this may well be so", ["it appears that", "may well"]),
        ("It’s possible that (roughly) half", ["it's possible that", "roughly"]),
        ("'perhaps'", ["perhaps"]),
        ("", []),
    ],
)
def test_matching(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It opened on 5 May 1932.", []),
        ("May 2021 was wet.", []),
        ("it MAY be", ["may be"]),
        ("about 40 people", ["about"]),
        ("a book about the war, some people, around the house", []),
        ("It could not be verified.", ["could not be verified"]),
    ],
)
def test_traps(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_boosters_are_not_hedged_ones() -> None:
    assert terms("It is certainly so", BOOSTERS) == ["certainly"]
    assert terms("It is almost certainly so, in certain cases", BOOSTERS) == []


CHANGES = [str.upper, str.title, str.lower]
GAPS = [" ", "  ", "\t", ", ", " (", ") ", '" ', " - ", " “"]


@given(
    st.lists(WORDS, min_size=1, max_size=30),
    st.sampled_from(CHANGES),
    st.sampled_from(GAPS),
)
def test_case_padding_and_punctuation_do_not_matter(
    words: list[str], change: Callable[[str], str], gap: str
) -> None:
    # the capitalised "May" is a month, so it is left out
    words = [word for word in words if word != "may"]
    assert terms(f"  {change(gap.join(words))} ") == terms(" ".join(words))


@given(st.text())
def test_in_any_text_matches_follow_one_another_without_overlaps(text: str) -> None:
    found = HEDGES.find(text)
    ends = [match.position + match.length for match in found]
    assert all(
        match.position >= end for match, end in zip(found[1:], ends, strict=False)
    )


def test_the_official_count_is_by_substring_and_entry() -> None:
    listed = Lexicon(
        (("can", "x"), ("may", "x"), ("may be", "x"), ("may", "x"), ("Upper", "x"))
    )
    assert listed.substrings("American mayors may be upper").total() == 1 + 2 + 1 + 2
    assert listed.substrings("American mayors may be upper") == {
        "can": 1,
        "may": 4,
        "may be": 1,
    }
