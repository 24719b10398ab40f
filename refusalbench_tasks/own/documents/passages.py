"""Documents cut into passages at headings, paragraphs and sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from refusalbench_tasks.corpus.words import word_count
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.libraries import library

from .extracted import Extracted, TextSection
from .pdf import has_leader

CONTENTS = "table of contents"
LONE = "a heading without text"
_ASKS = re.compile(r"[?？][\W_]*$")


@dataclass(frozen=True)
class DocumentSettings:
    """How documents are read, and how many words a passage has: filled up to `least`,
    never more than `most`, joined under `shortest`.
    """

    least: int = 120
    most: int = 350
    shortest: int = 40
    licence: str = ""
    """Of documents that name none themselves."""

    def check(self) -> None:
        """Raise DataError unless 1 ≤ shortest ≤ least ≤ most."""
        if not 1 <= self.shortest <= self.least <= self.most:
            raise DataError(
                "words of a passage: expected 1 <= shortest <= least <= most, "
                f"got {self.shortest}, {self.least}, {self.most}"
            )


@dataclass(frozen=True)
class PassageSpan:
    """A span of a document's text under its headings; with the reason, if it is of no
    use.
    """

    headings: tuple[str, ...]
    start: int
    end: int
    dropped: str


def passages(document: Extracted, lengths: DocumentSettings) -> list[PassageSpan]:
    """Return the passages of a document in order, those of no use with the reason: no
    words are lost unnamed.

    A section under `shortest` words is joined to the one before, or else the one
    behind, where both fit. A heading that asks has its text in one passage of its own,
    however short: the answer of an FAQ.
    """
    spans: list[PassageSpan] = []
    for section in document.sections():
        for span in _cut(document.text, section, lengths):
            if spans and _is_joined(
                document.text,
                spans[-1],
                span,
                section.start,
                lengths,
            ):
                spans[-1] = replace(spans[-1], end=span.end)
            else:
                spans.append(span)
    return spans


def is_contents(text: str) -> bool:
    """Return whether most lines end with dots and a page number, as those of a table of
    contents do.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    leaders = sum(map(has_leader, lines))
    return leaders >= 3 and leaders >= 0.5 * len(lines)


def _cut(
    text: str, section: TextSection, lengths: DocumentSettings
) -> Iterator[PassageSpan]:
    """Yield the passages of a section as they are before any is
    joined to a neighbour.
    """
    body = text[section.start : section.end]
    pieces = [(0, body)]
    if not section.bare and not is_contents(body):
        splitter = library("semantic_text_splitter").MarkdownSplitter.from_callback(
            word_count, (lengths.least, lengths.most)
        )
        pieces = splitter.chunk_indices(body)
    for at, piece in pieces:
        # the splitter leaves some white space at the edges
        words = piece.strip()
        if not any(map(str.isalnum, words)):
            continue
        start = section.start + at + piece.index(words)
        dropped = ""
        if section.bare:
            dropped = LONE
        elif is_contents(words):
            dropped = CONTENTS
        yield PassageSpan(
            section.headings,
            start,
            start + len(words),
            dropped,
        )


def _is_joined(
    text: str,
    before: PassageSpan,
    span: PassageSpan,
    section: int,
    lengths: DocumentSettings,
) -> bool:
    """Return whether a passage is joined to the one before; `section` is where its own
    section begins.
    """
    if before.dropped or span.dropped:
        return False
    if word_count(text[before.start : span.end]) > lengths.most:
        return False
    first = text[before.start : before.end]
    second = text[span.start : span.end]
    shorter = min(word_count(first), word_count(second))
    if before.start >= section:
        return shorter < lengths.least
    if _is_answer(first, before.headings) or _is_answer(second, span.headings):
        return False
    return shorter < lengths.shortest


def _is_answer(text: str, headings: tuple[str, ...]) -> bool:
    """Return whether a text is the answer of a heading that asks, or has a line that
    asks with a line behind it.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    return any(map(_ASKS.search, (*headings[-1:], *lines[:-1])))
