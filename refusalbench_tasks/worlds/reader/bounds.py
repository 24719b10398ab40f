"""A clause that says between which two values one lies, and no more."""

import re
from collections.abc import Sequence

from refusalbench_tasks.worlds.reader.clause import clause
from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Between, Fact, Statement
from refusalbench_tasks.worlds.values import Value

SOMEWHERE = re.compile(r"\bsomewhere between (<[QY]\d+>) and (<[QY]\d+>)")


def bounds(line: Line, words: Lexicon) -> Sequence[Statement] | None:
    """Return between which values one lies, or None if a sentence says no such thing.

    Raises Unreadable where the two are not values of one relation of one thing, or stand in the wrong order.
    """
    found = SOMEWHERE.search(line.shape)
    if found is None:
        return None
    low, high = (_fact(line, words, found, tag) for tag in found.groups())
    subject, relation = low.subject, low.relation
    ends = (low.value, high.value)
    if (subject, relation) != (high.subject, high.relation) or not isinstance(subject, str):
        raise Unreadable(line.text, "bounds of two things")
    if not all(isinstance(end, Value) for end in ends) or ends[0].number >= ends[1].number:  # type: ignore[union-attr]
        raise Unreadable(line.text, "bounds that are none")
    return [Between(subject, relation, *ends)]  # type: ignore[arg-type]


def _fact(line: Line, words: Lexicon, found: re.Match[str], tag: str) -> Fact:
    stated = clause(line.part(f"{line.shape[: found.start()]}{tag}{line.shape[found.end() :]}"), words)
    if len(stated) != 1 or not isinstance(stated[0], Fact):
        raise Unreadable(line.text, "bounds of nothing that the reader knows")
    return stated[0]
