"""Wholes and their parts: who belongs to what, how many there are, and what holds of all of them."""

import re
from dataclasses import dataclass

from refusalbench_tasks.worlds.reader.clause import candidates, strongest
from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon, one_of
from refusalbench_tasks.worlds.reader.marking import CARDINALS, Line
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Every, Extent, Fact, Part, Statement

MEMBERS = one_of(WORDS["members"])
TOTAL = one_of(WORDS["total"])
MEAN = one_of(WORDS["mean"])
EACH = re.compile(r"\b(?:all|every|each|any|no|whichever|whatever)\b")
JOINT = re.compile(r"\bjoint\b|\bput together\b|\bbetween them\b|\bof which none\b")
ONLY = re.compile(r"\bonly one\b|\bno other\b")


@dataclass(frozen=True, slots=True)
class Further:
    """`whole` has `count` parts beside those that the text names."""

    whole: str
    count: int


def structured(line: Line, words: Lexicon) -> list[Statement | Further] | None:
    """Return what a sentence says of a whole and its parts, or None if it speaks of no whole."""
    found = _whole(line, words)
    if found is None:
        return None
    whole, kind, parts = found
    name = str(whole.content)
    counts = _counts(line, words, kind)
    if parts:
        if not MEMBERS.search(line.shape):
            return None
        extents = [number for number, beside in counts if not beside]
        if len(extents) > 1:
            raise Unreadable(line.text, "two numbers of parts")
        counted = _count_tags(line, words, kind) | _own_count(line, len(parts))
        rest = line.part(re.sub("|".join(map(re.escape, counted)) or "(?!)", "", line.shape))
        held = _of_all(rest, words, name, kind) or []
        if not held:
            _used(line, counted)
        return [*held, *(Extent(name, number) for number in extents), *(Part(str(one.content), name) for one in parts)]
    if counts and not values_of_kind(line, words, kind):
        number, beside = counts[0]
        _used(line, _count_tags(line, words, kind))
        return [Further(name, number) if beside else Extent(name, number)]
    return _of_all(line, words, name, kind)


def membership(line: Line, words: Lexicon) -> list[Statement | Further]:
    """Return only who belongs to what, of a sentence whose values are read elsewhere."""
    found = _whole(line, words)
    if found is None or not found[2]:
        return []
    return [Part(str(one.content), str(found[0].content)) for one in found[2]]


def settled(statements: list[Statement | Further]) -> list[Statement]:
    """Return statements with each number of further parts made the number of all."""
    found: list[Statement] = []
    for one in statements:
        if isinstance(one, Further):
            named = {part.part for part in statements if isinstance(part, Part) and part.whole == one.whole}
            found.append(Extent(one.whole, one.count + len(named)))
        else:
            found.append(one)
    return found


def values_of_kind(line: Line, words: Lexicon, kind: str) -> bool:
    """Return whether a sentence holds a value of a relation that it speaks of."""
    counted = _count_tags(line, words, kind)
    return any(tag not in counted for one in candidates(line, words, kind) for _, tag in one.values)


def _of_all(line: Line, words: Lexicon, name: str, kind: str) -> list[Statement | Further] | None:
    found = [one for one in candidates(line, words, kind) if one.values]
    if not found:
        return None
    best = strongest(found, line)
    (value, tag), *more = best.values
    if more:
        raise Unreadable(line.text, "several values for all parts")
    _used(line, {tag})
    # the total weight of one thing adds nothing up
    adds_up = bool(TOTAL.search(best.relation.noun.sub("", line.shape)))
    if best.relation.type == "names" and (JOINT.search(line.shape) or adds_up or not EACH.search(line.shape)):
        return [Fact(name, f"all {best.name}", value)]
    if MEAN.search(line.shape):
        return [Fact(name, f"mean {best.name}", value)]
    if "median" in line.shape:
        return [Fact(name, f"median {best.name}", value)]
    if adds_up:
        return [Fact(name, f"total {best.name}", value)]
    if EACH.search(line.shape):
        return [Every(name, best.name, value)]
    raise Unreadable(line.text, f"a value of {best.name} of a whole")


def whole_of(line: Line, words: Lexicon) -> tuple[str, str] | None:
    """Return the whole that a question is about, and the kind of its parts; None if it is about none."""
    found = _whole(line, words)
    return None if found is None or found[2] else (str(found[0].content), found[1])


def _whole(line: Line, words: Lexicon) -> tuple[Token, str, list[Token]] | None:
    """Return the one whole of a sentence, the kind of its parts, and the parts that are named."""
    things = {one.content: one for one in line.marked("thing")}
    for whole in things.values():
        kinds = [kind for kind, one in words.kinds.items() if one.whole == whole.kind]
        others = [one for one in things.values() if one is not whole]
        for kind in kinds:
            if others and all(one.kind == kind for one in others):
                return whole, kind, others
        if not others:
            for kind in sorted(kinds, key=lambda kind: _noun(words, kind).search(line.shape) is None):
                own, of_parts = _weight(line, words, whole.kind), _weight(line, words, kind)
                if _noun(words, kind).search(line.shape) or (of_parts and not own) or of_parts > 1000 > own:
                    return whole, kind, []
    return None


def _weight(line: Line, words: Lexicon, kind: str) -> int:
    """Return how strongly a sentence speaks of any relation of a kind of things."""
    return max((weight for _, weight in words.spoken_of(kind, line.shape)), default=0)


def _noun(words: Lexicon, kind: str) -> re.Pattern[str]:
    return dict(words.nouns)[kind]


def _counts(line: Line, words: Lexicon, kind: str) -> list[tuple[int, bool]]:
    """Return the numbers of parts that a sentence gives, and whether they are beside others."""
    found = []
    for tag, beside in _counted(line, words, kind):
        number = line.tokens[tag].number if tag in line.tokens else CARDINALS[tag]
        found.append((int(number), beside))
    return found


def _count_tags(line: Line, words: Lexicon, kind: str) -> set[str]:
    return {tag for tag, _ in _counted(line, words, kind)}


def _counted(line: Line, words: Lexicon, kind: str) -> list[tuple[str, bool]]:
    nouns = "|".join(words.kinds[kind].nouns)
    numbers = "|".join(word for word, number in CARDINALS.items() if number)
    pattern = re.compile(
        rf"(\b(?:other|remaining) )?(<Q\d+>|\b(?:{numbers})\b) (further |other |more )?(?:\w+ )?(?:{nouns})\b"
    )
    besides = "besides these" in line.shape
    return [(tag, bool(before or after) or besides) for before, tag, after in pattern.findall(line.shape)]


def _own_count(line: Line, named: int) -> set[str]:
    """Return the tags that only count the parts that are named: `being 3 of them`, `are 2 of the 28`, `2 are`."""
    return {
        one.tag
        for one in line.marked("number")
        if one.number == named and re.search(rf"{one.tag} (?:of (?:them|the|its)|are)\b", line.shape)
    }


def _used(line: Line, tags: set[str]) -> None:
    left = [one for one in line.marked("name", "year", "date", "month", "time", "number") if one.tag not in tags]
    if left:
        raise Unreadable(line.text, f"'{left[0].content}' has no place")
