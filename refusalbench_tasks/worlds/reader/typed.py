"""From marked tokens and option words to values of a relation's type."""

import re
from dataclasses import replace

from refusalbench_tasks.worlds.reader.lexicon import WORDS, RelationWords, one_of
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.values import Value

NEGATION = re.compile(r"\b(?:never|not|no|nobody|neither|nor|none|without|ever|cannot)\b|n't\b")
ROUGH = re.compile(
    r"(?:at roughly|rounded (?:up |down |off )?to|"
    r"about|around|roughly|approximately|some|nearly|almost|close to|an estimated|in the region of|"
    r"more or less|circa|something like|or thereabouts|as about|as roughly)\s*(?:the year )?$"
)
EMPHASIS = one_of(WORDS["emphasis"])
AFTER_ROUGH = re.compile(r"^ (?:or so|or thereabouts|more or less|give or take|roughly|approximately)\b")


def value_of(relation: RelationWords, token: Token) -> Value | None:
    """Return a token as a value of a relation's type, or None if it can't be one."""
    match relation.type, token.mark:
        case "year", "year":
            return Value("year", int(token.number))
        case "year", "date" | "month":
            return Value("year", int(str(token.content)[:4]))
        case "date", "date":
            return Value("date", str(token.content))
        case "time", "time":
            return Value("time", str(token.content))
        case "count", "number" if token.unit in ("", relation.unit) or relation.everything.search(token.unit):
            return Value("count", token.number)
        case "money" | "measure", "number" if token.unit:
            return _measured(relation, token)
        case "person" | "place" | "entity", "name":
            return Value(relation.type, str(token.content))
        case "entity", "thing":
            return Value("entity", str(token.content))
    return None


def values_in(relation: RelationWords, line: Line) -> list[tuple[Value, str]]:
    """Return what a sentence holds of values of a relation's type, each with its tag or word, in order."""
    if relation.type == "flag":
        holds = polarity(relation, line.shape)
        return [] if holds is None else [(Value("flag", holds), "")]
    if relation.type in ("kind", "names"):
        found = [(one.start(), one[0]) for one in relation.option.finditer(line.shape)]
        written = {one.lower(): one for one in relation.options}
        if relation.type == "names" and found:
            listed = tuple(sorted({written[word] for _, word in found}))
            return [(Value("names", listed), "")]
        return [(Value("kind", written[word]), word) for _, word in found]
    found_values = []
    for tag in re.findall(r"<\w\d+>", line.shape):
        value = value_of(relation, line.tokens[tag])
        if value is not None:
            found_values.append((value, tag))
    return found_values


def polarity(relation: RelationWords, shape: str) -> bool | None:
    """Return whether a sentence says of a flag that it is true or false; None if it says neither."""
    shape = EMPHASIS.sub("", shape)
    last = shape.rpartition(", which ")[2]
    shape = last if relation.refused.search(last) or relation.affirmed.search(last) else shape
    if not relation.refused.search(shape) and not relation.affirmed.search(shape):
        return None
    fails = bool(relation.refused.search(shape))
    for own in (relation.refused, relation.affirmed, relation.word):
        # a negation within such words is no negation of them: `safe without supervision`
        shape = own.sub(" ", shape)
    return fails == bool(NEGATION.search(shape))


def is_rough(shape: str, tag: str) -> bool:
    """Return whether a value is only given roughly."""
    if "in round figures" in shape or "in round numbers" in shape:
        return True
    before, _, after = shape.partition(tag)
    return bool(ROUGH.search(before.rstrip() + " ") or ROUGH.search(before) or AFTER_ROUGH.match(after))


def _measured(relation: RelationWords, token: Token) -> Value | None:
    def same(unit: str) -> bool:
        return bool(unit) and token.unit in (unit, unit.removesuffix("s"), unit + "s")

    if same(relation.unit):
        return Value(relation.type, token.number, relation.unit)
    if same(relation.small_unit) and relation.ratio:
        small = replace(token, content=round(token.number / relation.ratio, 6))
        return Value(relation.type, small.number, relation.unit)
    return None
