"""One clause about one thing: a fact, a denial, or nothing that can be asked."""

import re
from dataclasses import dataclass

from refusalbench_tasks.worlds.reader.attribution import attributed
from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon, RelationWords, one_of
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.modality import is_definition, is_ruled_out, is_undecided, several
from refusalbench_tasks.worlds.reader.typed import NEGATION, is_rough, values_in
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Denial, Fact, Names, Never, Statement, Unrecorded
from refusalbench_tasks.worlds.values import Value

UNTOLD = one_of(WORDS["untold"])
"""Words of a sentence that says that a value isn't told: no denial, and no fact."""
NOTHING = one_of(WORDS["nothing"])
REMARK = one_of(WORDS["remarks"])
FORMER = one_of(WORDS["former"])
UNRECORDED = one_of(WORDS["unrecorded"])
POLITE = one_of(WORDS["polite"])
NOTABLE = re.compile(r"\bas notable\b|^notable\b|\bwithout a mark\b")
UNMARKED = re.compile(r"\bwithout a mark\b|\bunmarked\b|\bnamed besides\b")
REST = re.compile(r"(?<=as notable) and names .* without a mark")
"""What a list names beside what it marks as notable."""
BESIDE = one_of(WORDS["beside"])
ACTOR = re.compile(rf"<N\d+> (?={'|'.join(WORDS['actors'])})")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A relation that a clause may speak of, with the values that it holds for it."""

    name: str
    relation: RelationWords
    weight: int
    values: tuple[tuple[Value, str], ...]


def clause(line: Line, words: Lexicon) -> list[Statement]:
    """Return what a clause about one thing states.

    Raises Unreadable if it names several things, holds numbers or names that have no place, or fits several relations.
    """
    if NOTHING.search(line.shape):
        _no_leftover(_without_actor(line), ())
        return []
    line = _notable(line)
    if is_undecided(line) or POLITE.search(line.shape) or words.remark.search(line.shape):
        return []
    said = attributed(_without_actor(line))
    line = said.line
    who, kind = _subject(line)
    found = candidates(line, words, kind)
    with_value = [one for one in found if one.values]
    if not with_value:
        _no_leftover(line, ())
        return _valueless(line, words, found, who)
    best = strongest(with_value, line)
    values = list(dict.fromkeys(best.values))
    if several(best.relation, [value for value, _ in values], line):
        _no_leftover(line, tuple(one for _, one in values))
        return [Fact(who, best.name, value, source=said.source, rank=said.rank) for value, _ in values]
    if len({value for value, _ in values}) > 1:
        raise Unreadable(line.text, f"several values for {best.name}")
    value, tag = values[0]
    former = FORMER.search(line.shape)
    at = _period(line, best.relation, tag)
    _no_leftover(line, (tag, *(one for _, one in best.values), *at[1:]))
    rough = bool(tag) and is_rough(line.shape, tag)
    if former:
        return [Fact(who, f"former {best.name}", value, at[0])]
    if isinstance(who, str) and is_definition(line) and len(best.values) == 2 and _negated(line.shape):
        return [Fact(who, best.name, value), Never(who, best.name, value)]
    if isinstance(who, str) and best.relation.type != "flag" and is_ruled_out(line):
        return [Never(who, best.name, value)]
    if best.relation.type != "flag" and _negated(BESIDE.sub("", line.shape.replace(tag, ""))):
        raise Unreadable(line.text, f"a negation beside a value of {best.name}")
    fact = Fact(who, best.name, value, at[0], said.source, said.rank, rough)
    return [fact]


def _notable(line: Line) -> Line:
    """Return only what a sentence marks as notable, if it tells that from the rest."""
    if not NOTABLE.search(line.shape):
        return line
    pieces = REST.sub("", line.shape).split(";")
    return line.part(";".join(piece for piece in pieces if not UNMARKED.search(piece)))


def _without_actor(line: Line) -> Line:
    """Return a sentence without the name of somebody who only speaks of a value, or writes it down."""
    return line.part(ACTOR.sub("somebody ", line.shape)) if "<N" in line.shape else line


def candidates(line: Line, words: Lexicon, kind: str) -> list[Candidate]:
    """Return the relations of a kind of things that a clause speaks of, with the values that it holds for each."""
    found = ((name, words.relations[name], weight) for name, weight in words.spoken_of(kind, line.shape))
    return [Candidate(name, relation, weight, tuple(values_in(relation, line))) for name, relation, weight in found]


def strongest(found: list[Candidate], line: Line) -> Candidate:
    """Return the one relation that a clause speaks of most. Raises Unreadable on a tie."""
    found = sorted(found, key=lambda one: -one.weight)
    if len(found) > 1 and found[0].weight == found[1].weight:
        raise Unreadable(line.text, f"{found[0].name} or {found[1].name}")
    return found[0]


def _subject(line: Line) -> tuple[Names, str]:
    things = line.marked("thing")
    names = {one.content for one in things}
    if len(names) != 1:
        raise Unreadable(line.text, f"{len(names)} things in one clause")
    name = things[0].content
    return name if isinstance(name, tuple) else str(name), things[0].kind


def _valueless(line: Line, words: Lexicon, found: list[Candidate], who: Names) -> list[Statement]:
    if not found:
        # what stands in square brackets is blotted out, or a mark of an editor
        if REMARK.search(line.shape) or "[" in line.shape:
            return []
        raise Unreadable(line.text, "no relation that the reader knows")
    if UNRECORDED.search(line.shape) and isinstance(who, str):
        return [Unrecorded(who, strongest(found, line).name)]
    denied = [one for one in found if any(re.search(pattern, line.shape) for pattern in one.relation.denied)]
    if denied or (_denies(line.shape, found) and not UNTOLD.search(line.shape)):
        best = strongest(denied or found, line)
        if not isinstance(who, str):
            raise Unreadable(line.text, "a denial of one of several things")
        if best.relation.type == "flag":
            raise Unreadable(line.text, f"{best.name} neither true nor false")
        return [Denial(who, best.name)]
    return []


SPAN = re.compile(r"\b(?:from|between|years) (<Y\d+>) (?:to|and) (<Y\d+>)")
COMING = re.compile(r"\bthe coming (?:quarter|month|season)\b")
DECADE = re.compile(r"\bten years from (<Y\d+>)(?! to)")
DENIAL = re.compile(r"\b(?:never|not|nobody|nothing|none|nor|neither|does without|do without)\b|n't\b")
NO = re.compile(r"\bno (?:\w+ ){0,2}")


def _denies(shape: str, found: list[Candidate]) -> bool:
    """Return whether a clause says `never`, `not`, or `no` straight before what it speaks of."""
    if DENIAL.search(BESIDE.sub("", shape)):
        return True
    starts = {match.start() for one in found for match in one.relation.everything.finditer(shape)}
    return any(place in starts for found_no in NO.finditer(shape) for place in _places(shape, found_no))


def _places(shape: str, no: re.Match[str]) -> list[int]:
    """Return where the words after a `no` begin."""
    words = re.finditer(r"\w+", shape[no.start() + 3 : no.end() + 20])
    return [no.start() + 3 + word.start() for word in list(words)[:3]]


def _negated(shape: str) -> bool:
    return bool(NEGATION.search(shape))


def _period(line: Line, relation: RelationWords, tag: str) -> tuple[str, ...]:
    """Return the period that a value holds for, then its tags; the period is empty if it holds always."""
    if relation.type in ("year", "date"):
        return ("",)
    if found := SPAN.search(line.shape):
        first, last = (line.tokens[one].number for one in found.groups())
        return f"{first}/{last}", *found.groups()
    if found := COMING.search(line.shape):
        return (found[0],)
    if found := DECADE.search(line.shape):
        first = line.tokens[found[1]].number
        return f"{first}/{first + 9}", found[1]
    years = [one for one in line.marked("year", "month") if one.tag != tag]
    if len(years) > 1:
        raise Unreadable(line.text, "two periods")
    return (str(years[0].content), years[0].tag) if years else ("",)


def _no_leftover(line: Line, used: tuple[str, ...]) -> None:
    left = [one for one in line.marked("name", "year", "date", "month", "time", "number") if one.tag not in used]
    if left:
        raise Unreadable(line.text, f"'{left[0].content}' has no place")
