"""Lists of terms from files: their layouts, and what is wrong with them."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.lexicon_file import load_lexicon

MANY_WORDS = [f"w{number}" for number in range(150)]


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
    assert lexicon.find("PEUT-ÊTRE, perhaps, perhaps not, might be")


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
