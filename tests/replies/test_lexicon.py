"""The hedge matcher: whole words, the longest term, no overlaps, and the traps a list
can avoid.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.lexicon import Lexicon
from refusalbench_tasks.replies.lexicon_file import bundled_lexicon, load_lexicon

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
MANY_WORDS = [f"w{number}" for number in range(150)]


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
    assert HEDGES.count(text) == len(found)


def test_the_official_count_is_by_substring_and_entry() -> None:
    listed = Lexicon(
        (("can", "x"), ("may", "x"), ("may be", "x"), ("may", "x"), ("Upper", "x"))
    )
    assert listed.count_substrings("American mayors may be upper") == 1 + 2 + 1 + 2
    assert listed.substrings("American mayors may be upper") == {
        "can": 1,
        "may": 4,
        "may be": 1,
    }


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.txt",
            "perhaps\n# a comment\nmight be # another\n",
            ["perhaps", "might be"],
        ),
        (
            "a.yaml",
            "dimensions:\n  x: [perhaps]\nnot_terms: [perhaps not]\n",
            ["perhaps"],
        ),
        ("a.json", '{"dimensions": {"x": ["peut-être"]}}', ["peut-être"]),
    ],
)
def test_another_list_can_be_used(
    tmp_path: Path, name: str, content: str, expected: list[str]
) -> None:
    (tmp_path / name).write_text(content)
    lexicon = load_lexicon(str(tmp_path / name))
    assert [term for term, _ in lexicon.terms] == expected
    assert terms("PEUT-ÊTRE, perhaps, perhaps not, might be", lexicon)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.yaml", "dimensions: [perhaps]", "needs 'dimensions', a mapping"),
        ("a.txt", "peut-être", "not UTF-8 text"),
        (
            "a.yaml",
            "a: &a [x, x]\nb: &b [*a, *a]\ndimensions: {x: [*b]}",
            "aliases are not read",
        ),
        ("a.txt", "perhaps\n" * 70_000, "is larger than 500,000 bytes"),
        (
            "a.yaml",
            "dimensions: {x: [{terms: [so], strength: 2}]}",
            "expected a number from 0 to 1, found 2",
        ),
        ("a.yaml", "dimensions: {x: [{terms: [so], needs: y}]}", "no context 'y'"),
        ("a.yaml", "sets: {y: ['{y}']}\ndimensions: {x: [so]}", "no set 'y' above"),
        (
            "a.yaml",
            "sets: {y: [a b]}\ncontexts: {c: {after: y, within: 3}}\n"
            "dimensions: {x: [so]}",
            "is more than one",
        ),
        (
            "a.yaml",
            f"sets: {{y: {MANY_WORDS}}}\ndimensions: {{x: ['{{y}} {{y}}']}}",
            "20,000 terms",
        ),
    ],
)
def test_a_bad_list_is_a_clear_error(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    with pytest.raises(DataError, match=problem) as error:
        load_lexicon(str(tmp_path / name), "boosters")
    assert str(error.value).startswith(f"boosters: '{tmp_path / name}'")
    assert "\n" not in str(error.value)
    with pytest.raises(
        DataError,
        match="no such file 'nowhere'; bundled lists: v1, v2, hedges, boosters",
    ):
        load_lexicon("nowhere")


def test_a_list_may_have_sets_contexts_and_strengths(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("""
sets:
  negation: [not, never]
  paper: [text, page, "#"]
contexts:
  paper_before: {before: paper, within: 3}
dimensions:
  doubt:
    - perhaps
    - {strength: 0.5, terms: ["{negation} {negation?} sure"]}
    - {strength: 1, terms: [silent], needs: paper_before}
""")
    lexicon = load_lexicon(str(tmp_path / "a.yaml"))
    assert [term for term, _ in lexicon.terms][:3] == [
        "perhaps",
        "not not sure",
        "not never sure",
    ]
    found = lexicon.find("Page 3 is silent. He is silent, never sure, perhaps.")
    assert [(m.term, m.strength) for m in found] == [
        ("silent", 1.0),
        ("never sure", 0.5),
        ("perhaps", None),
    ]
    # one term has no strength, so a sum would say nothing
    assert not lexicon.has_strengths
