"""Questions that stand in documents with their answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.replies.sentences import sentences

LEAST_WORDS = 3
MOST_WORDS = 40
"""How many words a question of a document has."""
_MARKS = re.compile(r"^\s*(?:[-*+>#]\s+|\d+[.)]\s+)*|\*\*|__")
_ASKED = re.compile(r"^(?:q(?:uestion)?|frage|f)\s*\d*\s*[:.)]\s*", re.IGNORECASE)
_ANSWERED = re.compile(r"^(?:a(?:nswer)?|antwort)\s*\d*\s*[:.)]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class FoundQuestion:
    """A question with the passage that answers it."""

    text: str
    answers: tuple[str, ...]
    place: int
    """The position of its chunk in the corpus."""
    context: str
    """The passage, without the question if it stands in it."""
    origin: str
    """`heading` or `line`."""


def questions_in(corpus: Sequence[Chunk]) -> list[FoundQuestion]:
    """Return the questions of a corpus, each text once: headings that ask, and lines
    that do, as in an FAQ.

    The answer is the first sentence behind the question: what a careful writer says
    first. A question within a paragraph is none, because it may be rhetorical.
    """
    found: dict[str, FoundQuestion] = {}
    sections: set[tuple[str, tuple[str, ...]]] = set()
    for place, chunk in enumerate(corpus):
        first = (chunk.doc_id, chunk.headings) not in sections
        sections.add((chunk.doc_id, chunk.headings))
        for question in (
            *(_of_heading(place, chunk) if first else ()),
            *_of_lines(place, chunk),
        ):
            found.setdefault(question.text.casefold(), question)
    return list(found.values())


def _of_heading(place: int, chunk: Chunk) -> Iterator[FoundQuestion]:
    heading = chunk.headings[-1] if chunk.headings else ""
    if _asks(heading):
        answer = _first_sentence(chunk.text)
        if answer:
            yield FoundQuestion(heading, (answer,), place, chunk.text, "heading")


def _of_lines(place: int, chunk: Chunk) -> Iterator[FoundQuestion]:
    lines = chunk.text.split("\n")
    bare = [_MARKS.sub("", line).strip() for line in lines]
    full = [k for k, line in enumerate(bare) if line]
    asked = {k: text for k in full if _asks(text := _ASKED.sub("", bare[k]))}
    # one form of the passage for all its questions
    rest = "\n".join(line for k, line in enumerate(lines) if k not in asked).strip()
    for k, following in pairwise(full):
        answer = _first_sentence(_ANSWERED.sub("", bare[following]))
        if k in asked and following not in asked and answer:
            yield FoundQuestion(asked[k], (answer,), place, rest, "line")


def _asks(text: str) -> bool:
    return (
        text.endswith(("?", "？"))
        and LEAST_WORDS <= len(text.split()) <= MOST_WORDS
        and len(sentences(text)) == 1
    )


def _first_sentence(text: str) -> str:
    """Return the first sentence of a text, without Markdown's marks; nothing for a
    table or a heading of a list.
    """
    first = next(iter(sentences(text)), "")
    plain = " ".join(_MARKS.sub("", first).split())
    return "" if plain.startswith("|") or plain.endswith(":") else plain
