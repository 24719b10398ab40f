"""Lists of terms from files, and what is wrong with them."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.lexicon_file import load_lexicon


def test_another_list_has_a_term_a_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("peut-être\n# a comment\nmight be # another\n", encoding="utf-8")
    lexicon = load_lexicon(str(path))
    assert [term for term, _ in lexicon.terms] == ["peut-être", "might be"]
    assert len(lexicon.find("PEUT-ÊTRE, it might be.")) == 2
    assert lexicon.unconditional
    assert not lexicon.has_strengths


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.yaml", "dimensions: {x: [perhaps]}", "give a text file with one term a l"),
        ("a.json", "[]", "give a text file with one term a line"),
        ("a.txt", "# perhaps\n", "give a text file with one term a line"),
        ("a.txt", "perhaps\n,\n", "each with a word in it"),
        ("a.txt", "peut-être", "not UTF-8 text"),
        ("a.txt", "perhaps\n" * 70_000, "is larger than 500,000 bytes"),
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
