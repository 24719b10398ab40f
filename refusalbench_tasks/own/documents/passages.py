"""Documents cut into passages at headings, paragraphs and sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.generators.kit.words import word_count
from refusalbench_tasks.own.documents.extracted import Extracted, TextSection
from refusalbench_tasks.own.documents.pdf import has_leader

CONTENTS = "table of contents"
_ASKS = re.compile(r"[?？][\W_]*$")


@dataclass(frozen=True)
class Lengths:
    """How many words a passage has: filled up to `least`, never more than `most`, dropped under `shortest`."""

    least: int = 120
    most: int = 350
    shortest: int = 40

    def check(self) -> None:
        """Raise DataError unless 1 ≤ shortest ≤ least ≤ most."""
        if not 1 <= self.shortest <= self.least <= self.most:
            raise DataError(
                f"words of a passage: expected 1 <= shortest <= least <= most, "
                f"got {self.shortest}, {self.least}, {self.most}"
            )


@dataclass(frozen=True)
class PassageSpan:
    """A span of a document's text under its headings; with the reason, if it is of no use."""

    headings: tuple[str, ...]
    start: int
    end: int
    dropped: str = ""


def passages(document: Extracted, lengths: Lengths) -> list[PassageSpan]:
    """Return the passages of a document in order, those of no use with the reason.

    No passage crosses a heading. A heading that asks has its text in one passage, however short: the answer of an FAQ.
    """
    found: list[PassageSpan] = []
    for section in document.sections():
        body = document.text[section.start : section.end]
        if is_contents(body):
            found.append(PassageSpan(section.headings, *_trimmed(body, section.start), CONTENTS))
            continue
        for start, end in _spans(body, section, lengths):
            text = document.text[start:end]
            kept = word_count(text) >= lengths.shortest or _is_answer(text, section.headings)
            found.append(
                PassageSpan(section.headings, start, end, CONTENTS if is_contents(text) else "" if kept else "short")
            )
    return found


def is_contents(text: str) -> bool:
    """Return whether most lines end with dots and a page number, as those of a table of contents do."""
    lines = [line for line in text.splitlines() if line.strip()]
    leaders = sum(map(has_leader, lines))
    return leaders >= 3 and leaders >= 0.5 * len(lines)


def _is_answer(text: str, headings: tuple[str, ...]) -> bool:
    """Return whether a text is the answer of a heading that asks, or has a line that asks with a line behind it."""
    lines = [line for line in text.splitlines() if line.strip()]
    asks = bool(headings) and bool(_ASKS.search(headings[-1]))
    return (asks and any(c.isalnum() for c in text)) or any(_ASKS.search(line) for line in lines[:-1])


def _spans(body: str, section: TextSection, lengths: Lengths) -> Iterator[tuple[int, int]]:
    """Yield the spans of a section's passages, those under `least` words joined to a neighbour where both fit."""
    splitter = library("semantic_text_splitter").MarkdownSplitter.from_callback(
        word_count, (lengths.least, lengths.most)
    )
    made: list[tuple[int, int]] = []
    for at, piece in splitter.chunk_indices(body):
        start, end = at, at + len(piece)
        if made and word_count(body[made[-1][0] : end]) <= lengths.most:
            before, after = word_count(body[slice(*made[-1])]), word_count(body[start:end])
            if min(before, after) < lengths.least:
                start = made.pop()[0]
        made.append((start, end))
    # the splitter leaves some white space at the edges
    yield from (_trimmed(body[start:end], section.start + start) for start, end in made if body[start:end].strip())


def _trimmed(text: str, start: int) -> tuple[int, int]:
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())
