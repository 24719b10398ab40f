"""The pages for readers: lines that fit a screen, one idea a sentence, a README that says the first things first."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((ROOT / "docs").glob("*.md"))
LONGEST_LINE, MOST_WORDS, README_LINES = 110, 35, 150
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z*X(\[])")

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines outside of blocks of code, tables, pictures and comments; "" parts the paragraphs."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        code ^= fence
        yield number, "" if code or fence or line.lstrip().startswith(("|", "#", "<", "![")) else line


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and list items, code and links replaced by an X."""
    lines = "\n".join(line for _, line in prose(text))
    bare = re.sub(r"`[^`\n]*`", "X", re.sub(r"\]\([^)]*\)", "]", lines))
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)", bare)
    return [" ".join(part.split()) for part in parts if part.strip()]


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@every_page
def test_no_line_of_prose_is_too_long(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [number for number, line in prose(text) if len(line) > LONGEST_LINE] == []


@every_page
def test_a_sentence_has_one_idea(page: Path) -> None:
    sentences = [s for part in paragraphs(page.read_text(encoding="utf-8")) for s in SENTENCE_END.split(part)]
    assert sentences
    assert [s for s in sentences if len(s.split()) > MOST_WORDS or s.count(";") > 1] == []


@every_page
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.is_file(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), target


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES
