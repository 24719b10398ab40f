"""How hard a row is, apart from whether it has an answer."""

import re
from typing import Any

from refusalbench_tasks.worlds.quad import Cell, Quad

_WORD = re.compile(r"[a-z]+")


def knobs(quad: Quad, cell: Cell) -> dict[str, Any]:
    """Return the knobs of a row.

    `hops`: facts that the answer needs; `distance`: words between the first and the last sentence that bear on the
    question; `distractors`: sentences that state something of other things; `overlap`: share of the question's words,
    names apart, that stand in those sentences (0 to 1); `register`: the kind of text; `words`: length of the passage.
    """
    bearing = _bearing(cell)
    asked = set(_WORD.findall(cell.question.text.lower())) - _names(cell)
    said = set(_WORD.findall(" ".join(bearing).lower()))
    stating = [one for block in cell.text.blocks for one in block.sentences if one.statements]
    return {
        "hops": quad.hops,
        "distance": _distance(cell.text.text, bearing),
        "distractors": len(stating) - len(bearing),
        "overlap": round(len(asked & said) / len(asked), 3) if asked else 0.0,
        "register": quad.register,
        "words": len(cell.text.text.split()),
    }


def _bearing(cell: Cell) -> list[str]:
    """Return the sentences that speak of a thing that the question is about."""
    names = [name for name in cell.question.ask.subjects if isinstance(name, str)]
    sentences = [one for block in cell.text.blocks for one in block.sentences]
    return [one.text for one in sentences if any(name in one.text for name in names)]


def _names(cell: Cell) -> set[str]:
    names = (name for name in cell.question.ask.subjects if isinstance(name, str))
    return {word for name in names for word in _WORD.findall(name.lower())}


def _distance(text: str, bearing: list[str]) -> int:
    places = [text.find(sentence) for sentence in bearing]
    found = [place for place in places if place >= 0]
    return len(text[min(found) : max(found)].split()) if found else 0
