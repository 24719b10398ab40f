"""Matters that are no relation of a domain, like somebody's pastime or the papers on a thing: statements and questions.

`affairs.yaml` holds how they are spoken of, written from rendered text. A sentence must fit a pattern as a whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader.frames import Frame, affairs, near
from refusalbench_tasks.worlds.reader.lexicon import SHAPES
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Denial, Either, Fact, Names, Statement, Values
from refusalbench_tasks.worlds.values import Value

_R = TypeVar("_R")
NOT_WORDS = re.compile(r"[,'\"“”‘]")
MEASURED = re.compile(r"(<Q\d+>) (weeks|days|(?:centi|kilo)?metres)\b")
SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Named:
    """`name` is what the text calls `of`."""

    name: str
    of: Token


@dataclass(frozen=True, slots=True)
class Pair:
    """Whom or what the next sentence can call `this one` and `that one`."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence that fits a frame."""

    line: Line
    match: re.Match[str]
    pair: Sequence[Token] = ()

    def token(self, group: str) -> Token:
        """Return what a slot of the frame holds; a name of one word may open the sentence unmarked."""
        if group[0] == "P":
            return self.pair[int(group[1]) - 1]
        text = self.match[group]
        return self.line.tokens.get(text) or Token("name", "", self.line.text.split()[0].strip(",'"))

    def name(self, slot: str) -> Names:
        """Return the name, or the possible names, in a slot."""
        content = self.token(slot).content
        return content if isinstance(content, tuple) else str(content)

    def words(self, text: str) -> str:
        """Return a relation's name with the words of the sentence filled in."""
        held = self.match.groupdict()
        filled = re.sub(r"\{(\w+)\}", lambda one: str(self._content(held[one[1]])), text)
        return plural_off(filled)

    def _content(self, text: str) -> str:
        name = self.line.tokens.get(text)
        return text if name is None else str(name.content)

    def values(self, slot: str) -> Values:
        """Return what a slot, or each of several, holds as a value."""
        found = tuple(self._value(one.strip()) for one in slot.split("|"))
        return found[0] if len(found) == 1 else found

    def _value(self, slot: str) -> Value:
        group, _, unit = slot.partition(" ")
        text = self.match[group]
        if text not in self.line.tokens and group[0] != "N":
            return Value("kind", text)
        token = self.token(group)
        match token.mark:
            case "number":
                unit = "" if unit == "none" else unit or token.unit
                return Value("measure" if unit else "count", token.number, unit)
            case "year":
                return Value("year", int(token.number))
            case "date":
                return Value("date", str(token.content))
            case "thing":
                return Value("entity", str(token.content))
        return Value("person", str(token.content))


def plural_off(words: str) -> str:
    """Return words without the endings of plurals."""
    return re.sub(r"(\w)s\b", r"\1", words)


def affair(line: Line, pair: Sequence[Token] = ()) -> list[Statement | Named | Pair] | None:
    """Return what a sentence states of a matter; None if it fits no frame.

    `pair` are the people or the thing that the sentence before brought in: `this one` and `that one`.
    """
    readings = [[*_stated(found, entry)] for found, entry in _fitting(line, "text", pair)]
    return _only(readings, line)


def affair_asked(line: Line) -> Ask | None:
    """Return a question about a matter as a logical form; None if it fits no frame."""
    return _only([_ask(found, entry) for found, entry in _fitting(line, "ask")], line)


def _only(readings: list[_R], line: Line) -> _R | None:
    if any(one != readings[0] for one in readings):
        raise Unreadable(line.text, "it fits two frames that say different things")
    return readings[0] if readings else None


def _ask(found: Found, entry: dict[str, Any]) -> Ask:
    subject, relation = entry["of"]
    readings = [found.words(one) for one in ([relation] if isinstance(relation, str) else relation)]
    if "senses" in entry:
        noun = found.match[entry["senses"]].split()[-1]
        readings += [plural_off(f"{readings[0]} {sense}") for sense in affairs()["homonyms"].get(noun, ())]
    return Ask("value", readings[0] if len(readings) == 1 else tuple(readings), (found.name(subject),))


def _stated(found: Found, entry: dict[str, Any]) -> Iterator[Statement | Named | Pair]:
    for subject, relation, value in entry.get("say", ()):
        yield Fact(found.name(subject), found.words(relation), found.values(value))
    if "either" in entry:
        ways = [
            tuple(Fact(found.name(s), found.words(r), found.values(v)) for s, r, v in way) for way in entry["either"]
        ]
        yield Either(tuple(ways))
    if "deny" in entry:
        subject, relation = entry["deny"]
        name = found.name(subject)
        if not isinstance(name, str):
            raise Unreadable(found.line.text, "a denial of one of several things")
        yield Denial(name, found.words(relation))
    if "call" in entry:
        byname, of = entry["call"]
        yield Named(str(found.name(byname)), found.token(of))
        if found.token(of).mark == "thing":
            yield Pair((found.token(of),))
    if "pair" in entry:
        yield Pair(tuple(found.token(one) for one in entry["pair"]))


def _fitting(line: Line, use: str, pair: Sequence[Token] = ()) -> Iterator[tuple[Found, dict[str, Any]]]:
    units = dict(MEASURED.findall(line.shape))
    if units:
        tokens = {tag: replace(one, unit=units.get(tag, one.unit)) for tag, one in line.tokens.items()}
        line = Line(line.text, line.shape, tokens)
    shape = _once(line)
    for frame, match in _matched(use, shape):
        if pair or not frame.of_pair:
            yield Found(line.part(match.string), match, pair), frame.entry


@lru_cache(maxsize=SHAPES)
def _matched(use: str, shape: str) -> tuple[tuple[Frame, re.Match[str]], ...]:
    """Return the frames that a masked sentence fits; masked sentences come again."""
    shape = SPACES.sub(" ", NOT_WORDS.sub("", MEASURED.sub(r"\1", shape))).strip(" .?!")
    found = ((frame, frame.pattern.fullmatch(shape)) for frame in near(use, shape) if frame.landmark in shape)
    return tuple((frame, match) for frame, match in found if match and _distinct(match))


def _distinct(match: re.Match[str]) -> bool:
    """Return whether every slot for a name holds another name."""
    names = [held for slot, held in match.groupdict().items() if held and slot[0] in "NE"]
    return len(names) == len({*names})


def _once(line: Line) -> str:
    """Return a masked sentence in which a name has the same tag wherever it stands."""
    first: dict[tuple[str, object], str] = {}
    shape = line.shape
    for tag, one in line.tokens.items():
        kept = first.setdefault((one.mark, one.content), tag)
        if kept != tag:
            shape = shape.replace(tag, kept)
    return shape
