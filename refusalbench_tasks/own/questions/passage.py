"""A chunk as models and rows see it, and where words of a model stand in it."""

import re

from refusalbench_tasks.generators.kit.words import UNSPACED
from refusalbench_tasks.own.documents.chunk import Chunk

_LETTER = f"[^\\W{UNSPACED}]"
"""A letter or digit of a script with spaces, as a part of a pattern."""


def heading_of(chunk: Chunk) -> str:
    """Return title and headings on one line, the outermost first; empty if there are none."""
    names = [" ".join(name.split()) for name in (chunk.title, *chunk.headings)]
    return " > ".join(dict.fromkeys(name for name in names if name))


def passage_of(chunk: Chunk) -> str:
    """Return the passage of a base question: the chunk's text under its title and headings.

    A chunk often names its subject in its headings alone, as in "Opening hours" of one of many branches.
    """
    heading = heading_of(chunk)
    return f"{heading}\n\n{chunk.text}" if heading else chunk.text


def parts_of(chunk: Chunk, number: int | None = None) -> dict[str, str]:
    """Return a chunk as parts of a prompt's material; numbered among several."""
    behind = "" if number is None else f" {number}"
    return {f"TITLE AND HEADINGS{behind}": heading_of(chunk) or "(none)", f"PASSAGE{behind}": chunk.text}


def span_of(text: str, quote: str) -> tuple[int, int] | None:
    """Return where a quote first stands in a text, as offsets; None if it stands nowhere.

    Letter by letter, but for runs of white space: a line break of the document may be a space in the quote. It begins
    and ends where a word does, so that "12" does not stand in "120" or in "3.12".
    """
    words = quote.split()
    if not words:
        return None
    inner = r"\s+".join(map(re.escape, words))
    before = rf"(?<!{_LETTER})(?<!\d[.,])" if re.match(_LETTER, words[0]) else ""
    after = rf"(?!{_LETTER})(?![.,]\d)" if re.search(f"{_LETTER}$", words[-1]) else ""
    found = re.search(f"{before}{inner}{after}", text)
    return found.span() if found else None
