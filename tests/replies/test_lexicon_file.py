"""Lists of terms from files, and what is wrong with them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.bounded_reading import MOST_BYTES
from refusalbench_tasks.datasets.remote import PinnedFile, git_blob
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies import lexicon_file as lists_module
from refusalbench_tasks.replies.lexicon_file import (
    load_lexicon,
    load_official_lists,
    parse_official_lists,
)


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


STAND_IN = '''
"""A stand-in."""
import sys
HEDGE_TERMS = [
    # one group
    "maybe so", "might",
    "might", "Perchance",
]
sys.exit("this module must never run")

def hedges(text):
    return sum(text.lower().count(term) for term in HEDGE_TERMS)

class Metrics:
    def confident(self, text):
        confident_terms = ["for sure", "no question"]
        return sum(text.count(term) for term in confident_terms)

    def overlap(self, text):
        stop_words = {"the", "she", "of"}
        return set(text.split()) - stop_words

def claims(text):
    stop_words = {"the", "of"}
    return [word for word in text.split() if word not in stop_words]
'''


def saved(folder: Path, text: str = STAND_IN) -> str:
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


EXCHANGED = {'"the", "she", "of"': '"the", "of"', '"the", "of"': '"the", "she", "of"'}
OTHER_FORMS = [
    STAND_IN,
    re.sub("|".join(EXCHANGED), lambda found: EXCHANGED[found[0]], STAND_IN),
    STAND_IN + '\ndef grounding(text):\n    stop_words = {"of", "the", "she"}\n',
    "\ufeff"
    + STAND_IN.replace('{"the", "of"}', 'set(["the", "of"])').replace(
        "TERMS = [", "TERMS: list = ["
    ),
]


@pytest.mark.parametrize(
    "source",
    OTHER_FORMS,
    ids=["released", "sets exchanged", "a set twice", "other syntax"],
)
def test_lists_keep_their_order_and_the_larger_set_is_for_overlap(source: str) -> None:
    found = parse_official_lists(source, "m.py")
    assert [term for term, _ in found.hedges.terms] == [
        "maybe so",
        "might",
        "might",
        "Perchance",
    ]
    assert [term for term, _ in found.boosters.terms] == ["for sure", "no question"]
    assert sorted(found.stop_words.overlap) == ["of", "she", "the"]
    assert sorted(found.stop_words.claims) == ["of", "the"]


def test_the_hub_gives_the_pinned_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(saved(tmp_path))
    assert lists_module.MODULE.blob == "69f0393bee722852883a2c7fa0f93fb22710689a"
    pinned = PinnedFile("who/what", "abc", "module.py", git_blob(path.read_bytes()))
    asked: list[object] = []

    def fetch(file: PinnedFile, instead: str) -> Path:
        asked.append((file, instead))
        return path

    monkeypatch.setattr(lists_module, "MODULE", pinned)
    monkeypatch.setattr(lists_module, "fetch", fetch)
    assert load_official_lists("hub").released
    assert asked == [(pinned, "official_lists=PATH")]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("HEDGE_TERMS = [", "OTHER = [", "no list 'HEDGE_TERMS'"),
        (
            '{"the", "of"}',
            '{"the", "she", "of"}',
            "two sets 'stop_words' of different size, found 3$",
        ),
        (
            '["for sure", "no question"]',
            "open('x').read()",
            "line 16, 'confident_terms': .* found Call",
        ),
        (
            '"no question"',
            "__import__('os').getcwd()",
            "'confident_terms': expected a list of texts, none of them empty",
        ),
        ("import sys", "HEDGE_TERMS = ['other']", "2 different lists 'HEDGE_TERMS'"),
        ("import sys", "import (", "not a readable Python module"),
    ],
)
def test_a_module_of_another_shape_is_one_clear_line(
    old: str, new: str, problem: str
) -> None:
    assert STAND_IN.count(old) == 1
    with pytest.raises(DataError, match=problem) as error:
        parse_official_lists(STAND_IN.replace(old, new), "m.py")
    assert str(error.value).startswith("official_lists: 'm.py'")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "source",
    [
        "(" * 90_000,
        "-" * 90_000 + "1",
        "x" + ".x" * 90_000,
        "not " * 50_000 + "1",
        "1" * 9_000,
        "\0",
    ],
    ids=["brackets", "signs", "attributes", "negations", "digits", "null"],
)
def test_a_hostile_module_is_one_clear_line(source: str) -> None:
    with pytest.raises(
        DataError,
        match=r"^official_lists: 'm.py' is not a readable Python module \(.*\)$",
    ):
        parse_official_lists(source, "m.py")


@given(st.text() | st.text(alphabet="[](){}'\"=,\nHEDGE_TERMS stop_words"))
def test_any_text_gives_lists_or_a_line(source: str) -> None:
    with pytest.raises(DataError, match="^official_lists: 'm.py'"):
        parse_official_lists(source, "m.py")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "no such file '.*module.py'; give 'hub' or the path of the module"),
        (b"x" * (MOST_BYTES + 1), "is larger than 500,000 bytes"),
        (b"x = '\xe9'", "not UTF-8 text"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_line(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    if content is not None:
        (tmp_path / "module.py").write_bytes(content)
    with pytest.raises(DataError, match=f"^official_lists: .*{problem}"):
        load_official_lists(str(tmp_path / "module.py"))
    for name in ("x" * 5_000, "a\0b", "~nobody-of-that-name/x"):
        with pytest.raises(DataError, match="^official_lists: "):
            load_official_lists(name)
