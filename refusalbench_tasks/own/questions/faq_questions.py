"""Questions that stand in documents with their answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from refusalbench_tasks.own.documents.corpus import Chunk
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
    chunk: Chunk
    """Where it stands with its answer."""
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
    questions: dict[str, FoundQuestion] = {}
    sections = set()
    for chunk in corpus:
        section = (chunk.doc_id, chunk.headings)
        asked = list(_of_lines(chunk))
        if section not in sections:
            asked = [*_of_heading(chunk), *asked]
        sections.add(section)
        for question in asked:
            questions.setdefault(question.text.casefold(), question)
    return list(questions.values())


def _of_heading(chunk: Chunk) -> Iterator[FoundQuestion]:
    heading = chunk.headings[-1] if chunk.headings else ""
    if _asks(heading) and (answer := _first_sentence(chunk.text)):
        yield FoundQuestion(
            heading,
            (answer,),
            chunk,
            chunk.text,
            "heading",
        )


def _of_lines(chunk: Chunk) -> Iterator[FoundQuestion]:
    lines = chunk.text.split("\n")
    bare = [_MARKS.sub("", line).strip() for line in lines]
    texts = [_ASKED.sub("", line) for line in bare]
    asked = {k: text for k, text in enumerate(texts) if _asks(text)}
    rest = [line for k, line in enumerate(lines) if k not in asked]
    # one form of the passage for all its questions
    context = "\n".join(rest).strip()
    full = [k for k, line in enumerate(bare) if line]
    for k, following in pairwise(full):
        answer = _first_sentence(_ANSWERED.sub("", bare[following]))
        if k in asked and following not in asked and answer:
            yield FoundQuestion(
                asked[k],
                (answer,),
                chunk,
                context,
                "line",
            )


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
