"""What a value is said to be besides simply true: ruled out, one of two, true under a condition, or stated twice."""

import re

from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon, RelationWords, one_of
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Alias, Order, Statement
from refusalbench_tasks.worlds.values import Value

RULES = f"(?:{'|'.join(WORDS['rules'])})"
RULED_OUT = one_of([one.replace("{rules}", RULES) for one in WORDS["ruled_out"]])
UNDECIDED = one_of(WORDS["undecided"])
DEFINED = re.compile(r"\b(?:means|meaning of|defin\w+)\b")
TWICE = re.compile(
    r"\(<Q\d+>\)|^known for\b|, (?:the [a-z -]+ )?(?:whose|with) .*, (?:has|is)\b|"
    r", which is .*, (?:is|remains)\b|^(?:famous|noted) for\b|^with [^<>]* as [^<>]*, <E\d+> has\b"
)
_MORE = "(?:later|higher|larger|longer|greater)"
LATER = re.compile(
    rf"\ba (?:\w+ )?{_MORE} (?=\w)|\b(?:comes|falls|lies) (?:\w+ )*?after\b|"
    rf"\bhas the (?:\w+ )?{_MORE}\b|\bis (?:\w+ )?{_MORE} than that of\b"
)
EARLIER = re.compile(
    r"\bhas an (?:\w+ )?earlier\b|\bis (?:\w+ )?earlier than that of\b|\b(?:comes|falls|lies) (?:\w+ )*?before that "
    r"of\b|"
    r"\bprecedes that of\b"
)
"""The first of two has the earlier value."""
COMPARED = re.compile(r"^(?:compared (?:with|to)|set beside|next to|measured against|in comparison with) <E\d+>")
CALLS = one_of(WORDS["calls"])
NICKNAMED = re.compile(r"\bis (?:what|short for|the (?:pet ?|nick)name of|a pet form of)\b")
"""The first of two names is the one for friends."""


def is_twice(line: Line) -> bool:
    """Return whether a sentence states a value in two ways, or two values at once."""
    return bool(TWICE.search(line.shape))


def is_definition(line: Line) -> bool:
    """Return whether a sentence says what a word means."""
    return bool(DEFINED.search(line.shape))


def is_ruled_out(line: Line) -> bool:
    """Return whether a sentence says that a value can't be."""
    return bool(RULED_OUT.search(line.shape))


def is_undecided(line: Line) -> bool:
    """Return whether a sentence leaves a value open: one of two, or under a condition."""
    return bool(UNDECIDED.search(line.shape))


def order(line: Line, words: Lexicon) -> list[Statement] | None:
    """Return what a sentence says of which of two things has the later or higher value; None if it compares none."""
    things = line.marked("thing")
    if len(things) != 2 or things[0].kind != things[1].kind:
        return None
    earlier = bool(EARLIER.search(line.shape))
    if not earlier and not LATER.search(line.shape):
        return None
    if earlier != bool(COMPARED.search(line.shape)):
        things.reverse()
    found = [(weight, name) for name, weight in words.spoken_of(things[0].kind, line.shape)]
    weight, name = max(found, default=(0, ""))
    if not weight or line.marked("name", "year", "date", "time", "number"):
        raise Unreadable(line.text, "a comparison of what the reader doesn't know")
    return [Order(str(things[0].content), str(things[1].content), name)]


def alias(line: Line) -> list[Statement] | None:
    """Return what a sentence says of two names of one; None if it says nothing of names."""
    names = line.marked("name")
    if len(names) != 2 or line.marked("thing", "number", "year", "date") or not CALLS.search(line.shape):
        return None
    first, second = str(names[0].content), str(names[1].content)
    return [Alias(first, second) if NICKNAMED.search(line.shape) else Alias(second, first)]


def several(relation: RelationWords, values: list[Value], line: Line) -> bool:
    """Return whether a sentence may hold several values of a relation."""
    return relation.type != "names" and len(values) == 2 and is_twice(line)
