"""Sentences with several readings: `she` of two women, this one and the other, and two values for three things."""

import re
from collections.abc import Sequence

from refusalbench_tasks.worlds.reader.clause import clause
from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.people import People
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Either, Fact, Statement, Values
from refusalbench_tasks.worlds.values import Value

OFFICE = re.compile(
    r"^(?P<lead>.*?)(?P<who>\bshe|<N\d+>)(?:,| is| was) "
    r"(?:the (?P<noun>[^<>,;]+) of (?P<thing><E\d+>)|(?P<own><E\d+>)'s (?P<its>[^<>,;]+))"
    r"(?:, (?:nodded|smiled|laughed|agreed|blushed))?[.]?$"
)
OTHER = r"(?:and )?that of the other(?: one)? (?P<last>.+)$"
LIST = r"(?:list|overview|index|chart|inventory|table)"
THIS = (
    re.compile(rf"^the (?P<noun>[^<>,;]+) of (?:this [\w -]+?|the one) is (?P<first>.+?),? {OTHER}"),
    re.compile(r"^of this [\w -]+?,? the (?P<noun>[^<>,;]+) is (?P<first>.+?), of the other(?: one)? (?P<last>.+)$"),
    re.compile(
        rf"^(?:<E\d+> and <E\d+> (?:stand side by side|are next to each other|follow one another) in the {LIST};|"
        rf"under <E\d+> and <E\d+> the {LIST} (?:says|notes|has it):) "
        rf"the (?P<noun>[^<>,;]+) of (?:the one|this [\w -]+?) is (?P<first>.+?),? {OTHER}"
    ),
    re.compile(r"^this [\w -]+? has (?P<first>.+?) as the (?P<noun>[^<>,;]+), the other(?: one)? (?P<last>.+)$"),
)
THREE = r"(?P<things><E\d+>, <E\d+> and <E\d+>)"
PAIR = r"(?P<first>[^,]+?) and (?P<last>[^,]+?) respectively"
NOUN = r"the (?P<noun>[^<>,;]+?)"
ENTERED = "(?:put down|given|entered|recorded|listed|shown)"
RESPECTIVELY = (
    re.compile(rf"^as {NOUN} of {THREE}, the {LIST} (?:gives|has|shows|names) {PAIR}$"),
    re.compile(rf"^{THREE} are {ENTERED} with {PAIR} (?:for|as) {NOUN}$"),
    re.compile(rf"^(?:for|with|under) {THREE}, {NOUN} is {ENTERED} as {PAIR}$"),
    re.compile(rf"^the {LIST} (?:gives|has|shows|names) {PAIR} (?:as|for) {NOUN} of {THREE}$"),
    re.compile(rf"^(?:concerning|regarding|as regards) {NOUN}, {THREE} (?:have|show|are given) {PAIR}$"),
)


def several_ways(line: Line, words: Lexicon, known: People) -> list[Statement] | None:
    """Return what a sentence states that may have several readings; None if it's none that is known."""
    shape = line.shape.strip(" .")
    for pattern in RESPECTIVELY:
        found = pattern.match(shape)
        if found:
            things = re.findall(r"<E\d+>", found["things"])
            return _three(line, words, found, things)
    for pattern in THIS:
        found = pattern.match(shape)
        if found:
            own = line.marked("thing")
            return [_crossed(line, words, found, own if len(own) == 2 else known.pair)]
    found = OFFICE.match(shape)
    if found:
        women = known.named(line.part(found["lead"])) or known.candidates()
        who = line.tokens[found["who"]].content if found["who"] != "she" else None
        if isinstance(who, str):
            # a name is nobody else's, and if it is none of theirs, the sentence is a plain one
            women = tuple(one for one in women if one == who)
        return _held(line, words, found, women) if women else None
    return None


def _held(line: Line, words: Lexicon, found: re.Match[str], women: Sequence[str]) -> list[Statement]:
    """Return who holds an office: any of the women that `she` can be."""
    facts = []
    noun, thing = found["noun"] or found["its"], found["thing"] or found["own"]
    for name in women:
        tag = f"<N{len(line.tokens)}>"
        tokens = {**line.tokens, tag: Token("name", tag, name)}
        facts.append(_fact(Line(line.text, line.shape, tokens), words, noun, thing, tag))
    return [Fact(facts[0].subject, facts[0].relation, _open([one.value for one in facts]))]


def _three(line: Line, words: Lexicon, found: re.Match[str], things: Sequence[str]) -> list[Statement]:
    """Return two values of three things: the first has the first, the last the last, the middle one either."""
    ends = [(things[0], found["first"]), (things[2], found["last"])]
    first, last = (_fact(line, words, found["noun"], thing, value) for thing, value in ends)
    middle = _fact(line, words, found["noun"], things[1], found["first"])
    return [first, last, Fact(middle.subject, middle.relation, _open([first.value, last.value]))]


def _crossed(line: Line, words: Lexicon, found: re.Match[str], pair: Sequence[Token]) -> Either:
    """Return two values of two things, the one way round or the other."""
    if len(pair) != 2 or {one.mark for one in pair} != {"thing"}:
        raise Unreadable(line.text, "this one and the other, but which two")
    tags = [f"<E{len(line.tokens) + number}>" for number in range(2)]
    line = Line(line.text, line.shape, {**line.tokens, **dict(zip(tags, pair, strict=True))})
    values = (found["first"], found["last"])
    ways = [
        tuple(_fact(line, words, found["noun"], tag, value) for tag, value in zip(order, values, strict=True))
        for order in (tags, tags[::-1])
    ]
    return Either(tuple(ways))


def _fact(line: Line, words: Lexicon, noun: str, thing: str, value: str) -> Fact:
    """Return the one fact that the attribute of a thing is a value."""
    stated = clause(line.part(f"the {noun} of {thing} is {value}."), words)
    if len(stated) != 1 or not isinstance(stated[0], Fact):
        raise Unreadable(line.text, "no single fact in one of its readings")
    return stated[0]


def _open(values: Sequence[Values]) -> Values:
    found = tuple(dict.fromkeys(one for one in values if isinstance(one, Value)))
    return found[0] if len(found) == 1 else found
