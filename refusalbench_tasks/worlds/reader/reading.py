"""A row read back: passages and question as statements and a logical form."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader.condition import Condition
from refusalbench_tasks.worlds.reader.layout import sentences
from refusalbench_tasks.worlds.reader.lexicon import lexicon
from refusalbench_tasks.worlds.reader.marking import marker
from refusalbench_tasks.worlds.reader.question import read_question
from refusalbench_tasks.worlds.reader.roles import OneWay
from refusalbench_tasks.worlds.reader.structure import Further
from refusalbench_tasks.worlds.reader.text import conditions_of, read_text, taken_together
from refusalbench_tasks.worlds.solve import Solved, solve
from refusalbench_tasks.worlds.statement import Statement


@dataclass(frozen=True, slots=True)
class Reading:
    """What a row's passages state and what its question asks."""

    statements: tuple[Statement, ...]
    ask: Ask


def read_row(domain: str, passages: Sequence[str], question: str) -> Reading:
    """Return what a row says, read from its text alone.

    Raises Unreadable for a sentence about the domain that the reader can't make sense of.
    """
    conditional = tuple(passage for passage in passages if _conditions(domain, passage))
    stated = taken_together(one for passage in passages for one in _stated(domain, passage, conditional))
    return Reading(tuple(stated), _asked(domain, question))


def derive(domain: str, passages: Sequence[str], question: str) -> Solved:
    """Return the label and answer of a row, from its text alone. Raises Unreadable, and Impure as `solve` does."""
    reading = read_row(domain, passages, question)
    return solve(reading.statements, reading.ask, lexicon(domain).ontology)


@lru_cache(maxsize=256)
def _stated(domain: str, passage: str, conditional: tuple[str, ...]) -> tuple[Statement | Further | OneWay, ...]:
    """Return what a passage states beside passages that hold conditions, which it may say to be met."""
    conditions = [one for other in conditional for one in _conditions(domain, other)]
    return tuple(read_text(sentences(passage), lexicon(domain), conditions))


@lru_cache(maxsize=256)
def _conditions(domain: str, passage: str) -> tuple[Condition, ...]:
    return tuple(conditions_of(sentences(passage), lexicon(domain)))


@lru_cache(maxsize=256)
def _asked(domain: str, question: str) -> Ask:
    words = lexicon(domain)
    return read_question(marker(words, [question]).mark(question), words)
