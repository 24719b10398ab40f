"""A chunk as models and rows see it, where words of a model stand in it, and the search
over all of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.corpus.index import Index
from refusalbench_tasks.corpus.words import UNSPACED
from refusalbench_tasks.own.documents.corpus import Chunk
from refusalbench_tasks.replies.alias import answer_tokens

_LETTER = f"[^\\W{UNSPACED}]"
"""A letter or digit of a script with spaces, as a part of a pattern."""
_STEM = 5


@dataclass(frozen=True)
class Searched:
    """The chunks of a corpus and a BM25 search of them, made when it is first asked."""

    chunks: Sequence[Chunk]

    @cached_property
    def _index(self) -> Index:
        return Index([passage_of(chunk) for chunk in self.chunks])

    def nearest(self, question: str, k: int) -> list[Chunk]:
        """Return the k chunks nearest to a question; one that shares no word with it is
        not among them.
        """
        return [self.chunks[at] for at, _ in self._index.nearest(question, k)]


def heading_of(chunk: Chunk) -> str:
    """Return title and headings on one line, the outermost first; empty if there are
    none.
    """
    names = [" ".join(name.split()) for name in (chunk.title, *chunk.headings)]
    return " > ".join(dict.fromkeys(filter(None, names)))


def passage_of(chunk: Chunk) -> str:
    """Return the passage of a question: the chunk's text under its title and headings,
    which often name its subject.
    """
    heading = heading_of(chunk)
    return f"{heading}\n\n{chunk.text}" if heading else chunk.text


def material_parts(chunk: Chunk, number: int | None = None) -> dict[str, str]:
    """Return a chunk as parts of a prompt's material; numbered among several."""
    behind = "" if number is None else f" {number}"
    return {
        f"TITLE AND HEADINGS{behind}": heading_of(chunk) or "(none)",
        f"PASSAGE{behind}": chunk.text,
    }


def span_of(text: str, quote: str) -> tuple[int, int] | None:
    """Return where a quote first stands in a text, as offsets; None if it stands
    nowhere.

    Letter by letter, but for runs of white space: a line break of the document may be a
    space in the quote. It begins and ends where a word does, so that "12" does not
    stand in "120" or in "3.12".
    """
    words = quote.split()
    if not words:
        return None
    inner = r"\s+".join(map(re.escape, words))
    before = rf"(?<!{_LETTER})(?<!\d[.,])" if re.match(_LETTER, words[0]) else ""
    after = rf"(?!{_LETTER})(?![.,]\d)" if re.search(f"{_LETTER}$", words[-1]) else ""
    match = re.search(f"{before}{inner}{after}", text)
    return match.span() if match else None


def matter(text: str) -> frozenset[str]:
    """Return the words of a text that are longer than three letters, or hold a digit,
    each cut to five letters.

    A rough measure of what a text is about in any language with spaces: endings don't
    part words.
    """
    words = answer_tokens(text)
    return frozenset(
        word[:_STEM] for word in words if len(word) > 3 or not word.isalpha()
    )
