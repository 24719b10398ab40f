"""Several facts of one relation in one sentence: year by year, or thing by thing."""

import re

from refusalbench_tasks.worlds.reader.clause import candidates, strongest
from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.typed import value_of
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Fact, Statement

DATED = re.compile(r"(<Q\d+>) (?:in (<Y\d+>)|on (<D\d+>)|(?:from|between) (<Y\d+>) (?:to|and) (<Y\d+>))")
ROLL = re.compile(r"(<E\d+>)(?:, |: | )(<[QYDT]\d+>)(?=[;,.]| and )")
WHOSE = re.compile(r"(<E\d+>), whose [^<>]* (?:is|are) (<\w\d+>)")


def series(line: Line, words: Lexicon) -> list[Statement] | None:
    """Return the facts of a sentence that gives several of a relation, or one with its period; None if none."""
    things = line.marked("thing")
    dated = DATED.findall(line.shape)
    if dated and len({one.content for one in things}) == 1 and isinstance(things[0].content, str):
        return _dated(line, words, things[0].content, things[0].kind, dated)
    for pattern in (WHOSE, ROLL):
        pairs = pattern.findall(line.shape)
        if len(pairs) > 1:
            return _listed(line, words, pairs)
    return None


def _dated(
    line: Line, words: Lexicon, name: str, kind: str, dated: list[tuple[str, str, str, str, str]]
) -> list[Statement]:
    found = [one for one in candidates(line, words, kind) if one.values and one.relation.type not in ("year", "date")]
    if not found:
        raise Unreadable(line.text, "values of an unknown relation")
    best = strongest(found, line)
    left = set(re.findall(r"<[QYDMTN]\d+>", line.shape)) - {tag for one in dated for tag in one}
    if left:
        raise Unreadable(line.text, f"'{line.tokens[left.pop()].content}' has no place")
    facts: list[Statement] = []
    for tag, year, date, first, last in dated:
        value = value_of(best.relation, line.tokens[tag])
        if value is None:
            raise Unreadable(line.text, f"no value of {best.name}")
        contents = [str(line.tokens[one].content) for one in (year, date, first, last) if one]
        facts.append(Fact(name, best.name, value, "/".join(contents)))
    return facts


def _listed(line: Line, words: Lexicon, pairs: list[tuple[str, str]]) -> list[Statement]:
    found = [one for one in candidates(line, words, line.tokens[pairs[0][0]].kind) if one.values]
    if not found:
        raise Unreadable(line.text, "values of an unknown relation")
    best = strongest(found, line)
    left = set(re.findall(r"<[QYDMTN]\d+>", line.shape)) - {tag for _, tag in pairs}
    if left:
        raise Unreadable(line.text, f"'{line.tokens[left.pop()].content}' has no place")
    facts: list[Statement] = []
    for thing, tag in pairs:
        value = value_of(best.relation, line.tokens[tag])
        if value is None:
            raise Unreadable(line.text, f"no value of {best.name}")
        facts.append(Fact(str(line.tokens[thing].content), best.name, value))
    return facts
