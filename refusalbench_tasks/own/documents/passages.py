"""Documents cut into passages at headings, paragraphs and sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.generators.kit.words import word_count
from refusalbench_tasks.own.documents.extracted import Extracted, TextSection
from refusalbench_tasks.own.documents.pdf import has_leader

LINKED = 0.5
"""The share of a passage's words in links from which on it is a list of links."""
_STOP = re.compile(r"[.!?](?=\s)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|<?https?://\S+")
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

    No passage crosses a heading. A sentence is cut only if it alone is longer than `most` words. A heading that asks
    has its text in one passage, however short: the answer of an FAQ.
    """
    found: list[PassageSpan] = []
    for section in document.sections():
        body = document.text[section.start : section.end]
        useless = _furniture(body)
        if useless:
            found.append(PassageSpan(section.headings, *_trimmed(body, section.start), useless))
            continue
        for start, end in _spans(body, section, lengths):
            text = document.text[start:end]
            kept = word_count(text) >= lengths.shortest or _is_answer(text, section.headings)
            found.append(PassageSpan(section.headings, start, end, _furniture(text) or ("" if kept else "short")))
    return found


def is_link_list(text: str) -> bool:
    """Return whether at least three links hold half of a Markdown passage's words or more."""
    links = _LINK.findall(text)
    linked = sum(max(1, word_count(words)) for words in links)
    return len(links) >= 3 and linked >= LINKED * (linked + word_count(_LINK.sub("", text)))


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


def _furniture(text: str) -> str:
    if is_contents(text):
        return "table of contents"
    return "list of links" if is_link_list(text) else ""


def _spans(body: str, section: TextSection, lengths: Lengths) -> Iterator[tuple[int, int]]:
    """Yield the spans of a section's passages, those under `least` words joined to a neighbour where both fit."""
    splitter = library("semantic_text_splitter").MarkdownSplitter.from_callback(
        word_count, (lengths.least, lengths.most)
    )
    made: list[tuple[int, int]] = []
    for at, piece in splitter.chunk_indices(_masked(body, lengths.most)):
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


def _masked(body: str, most: int) -> str:
    """Return a text of the same length whose full stops end sentences alone: the splitter cuts behind "Dr." else."""
    if word_count(body) <= most:
        return body
    bounds = library("sentencex").get_sentence_boundaries("en", body)
    ends = {bound["start_index"] + len(bound["text"].rstrip()) for bound in bounds}
    return _STOP.sub(lambda found: found[0] if found.end() in ends else ",", body)
