"""Documents cut into passages at headings, paragraphs and sentences."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.generators.kit.words import word_count
from refusalbench_tasks.own.documents.extracted import Extracted, Section
from refusalbench_tasks.own.documents.furniture import is_contents, is_link_list

_STOP = re.compile(r"[.!?](?=\s)")


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
class Passage:
    """A span of a document's text under its headings."""

    headings: tuple[str, ...]
    start: int
    end: int


def passages(document: Extracted, lengths: Lengths) -> tuple[list[Passage], Counter[str]]:
    """Return the passages of a document in order, and how many were dropped for which reason.

    No passage crosses a heading. A sentence is cut only if it alone is longer than `most` words.
    """
    kept: list[Passage] = []
    dropped: Counter[str] = Counter()
    for section in document.sections():
        useless = _furniture(document.text[section.start : section.end])
        if useless:
            dropped[useless] += 1
            continue
        for start, end in _spans(document.text, section, lengths):
            reason = _reason(document.text[start:end], lengths)
            if reason:
                dropped[reason] += 1
            else:
                kept.append(Passage(section.headings, start, end))
    return kept, dropped


def _reason(text: str, lengths: Lengths) -> str:
    """Return why a passage is of no use; nothing if it is."""
    return _furniture(text) or ("short" if word_count(text) < lengths.shortest else "")


def _furniture(text: str) -> str:
    if is_contents(text):
        return "table of contents"
    return "list of links" if is_link_list(text) else ""


def _spans(text: str, section: Section, lengths: Lengths) -> Iterator[tuple[int, int]]:
    body = text[section.start : section.end]
    splitter = library("semantic_text_splitter").MarkdownSplitter.from_callback(
        word_count, (lengths.least, lengths.most)
    )
    pieces = [(at, at + len(piece)) for at, piece in splitter.chunk_indices(_masked(body, lengths.most)) if piece]
    for start, end in _merged(body, pieces, lengths):
        # the splitter leaves some white space at the edges
        part = body[start:end]
        if part.strip():
            yield section.start + end - len(part.lstrip()), section.start + start + len(part.rstrip())


def _masked(body: str, most: int) -> str:
    """Return a text of the same length whose full stops end sentences alone: the splitter cuts behind "Dr." else."""
    if word_count(body) <= most:
        return body
    bounds = library("sentencex").get_sentence_boundaries("en", body)
    ends = {bound["start_index"] + len(bound["text"].rstrip()) for bound in bounds}
    return _STOP.sub(lambda found: found[0] if found.end() in ends else ",", body)


def _merged(body: str, pieces: list[tuple[int, int]], lengths: Lengths) -> list[tuple[int, int]]:
    """Return the pieces, those under `least` words joined to a neighbour where both fit into `most`."""
    made: list[tuple[int, int]] = []
    for start, end in pieces:
        before = made[-1] if made else None
        parts = (body[start:end], body[slice(*before)]) if before else ()
        if (
            before
            and any(word_count(part) < lengths.least for part in parts)
            and word_count(body[before[0] : end]) <= lengths.most
        ):
            made[-1] = (before[0], end)
        else:
            made.append((start, end))
    return made
