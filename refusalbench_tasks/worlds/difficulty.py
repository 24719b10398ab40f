"""How hard a row is, apart from whether it has an answer."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from refusalbench_tasks.worlds.quad import Cell, Quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.shown import Shown, shown
from refusalbench_tasks.worlds.statement import Alias, Either, Fact, Part, Statement

_WORD = re.compile(r"[a-z]+")
_SPOKEN_OF = ("subject", "first", "second", "part", "whole", "scope")
"""The fields of statements that hold things."""
_OVER_PARTS = ("total", "mean", "median")


def knobs(quad: Quad, cell: Cell) -> dict[str, Any]:
    """Return the knobs of a row, of its one passage as it stands in its register. What is undefined is left out.

    A sentence bears on the question if it names a thing that the question is about, or states something of it. A
    question is about the things that it names or describes, and one of a total or an average about the parts of its
    whole too. A row of a table, or a question with its answer, counts as one sentence. A word of the passage is what
    stands between blanks and has a letter or a digit.

    - `hops`, 1 to 3: the stated facts that the answer of the quad needs at least; the same in its four rows.
    - `distance`, words, 0 to `words`: between the end of the first bearing sentence and the begin of the last one.
      Undefined with fewer than two of them.
    - `distractors`, sentences, from 0: those that state something and do not bear on the question.
    - `overlap`, 0 to 1: the share of the different words of the question, the words of the things' names left out,
      that stand in bearing sentences too. Words are runs of letters, in small. Undefined with no such sentence or word.
    - `register`: one of `REGISTERS`, the kind of text.
    - `words`, from 1: of the passage.

    Source: our definitions.
    """
    text = cell.text.text
    names = _names(cell)
    sentences = shown(text, cell.text.blocks)
    bearing = [one for one in sentences if _bears(one, text, names)]
    stating = [one for one in sentences if one.sentence.statements]
    found = {
        "hops": quad.hops,
        "distance": _distance(text, bearing),
        "distractors": sum(one not in bearing for one in stating),
        "overlap": _overlap(cell.question.text, [text[one.start : one.stop] for one in bearing], names),
        "register": quad.register,
        "words": _words(text),
    }
    return {name: value for name, value in found.items() if value is not None}


def _names(cell: Cell) -> set[str]:
    """Return the names, in small, of what a question is about."""
    ask, said = cell.question.ask, cell.text.statements
    names = {name for each in ask.subjects for name in ([each] if isinstance(each, str) else each)}
    names |= _described(ask, said)
    if ask.operator in _OVER_PARTS:
        names |= {one.part for one in said if isinstance(one, Part) and one.whole in names}
    names |= {one.name for one in said if isinstance(one, Alias) and one.of in names}
    return {name.lower() for name in names}


def _described(ask: Ask, said: Sequence[Statement]) -> set[str]:
    """Return the things that the question describes by a fact instead of naming them."""
    facts = [one for one in said if isinstance(one, Fact) and (one.relation, one.value) == ask.via]
    return {one.subject for one in facts if isinstance(one.subject, str)}


def _bears(one: Shown, text: str, names: Iterable[str]) -> bool:
    told = text[one.start : one.stop].lower()
    named = any(re.search(rf"\b{re.escape(name)}\b", told) for name in names)
    return named or any(thing.lower() in names for said in one.sentence.statements for thing in _things(said))


def _things(said: Statement) -> set[str]:
    if isinstance(said, Either):
        return {thing for way in said.readings for fact in way for thing in _things(fact)}
    held = (getattr(said, field, None) for field in _SPOKEN_OF)
    return {name for one in held for name in ((one,) if isinstance(one, str) else one or ())}


def _distance(text: str, bearing: Sequence[Shown]) -> int | None:
    return _words(text[bearing[0].stop : bearing[-1].start]) if len(bearing) > 1 else None


def _overlap(question: str, told: Sequence[str], names: Iterable[str]) -> float | None:
    asked = {*_WORD.findall(question.lower())} - {word for name in names for word in _WORD.findall(name)}
    said = {*_WORD.findall(" ".join(told).lower())}
    return round(len(asked & said) / len(asked), 3) if asked and told else None


def _words(text: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in text.split())
