"""Matters that are no relation of a domain, like somebody's pastime or the papers on a thing: statements and questions.

`affairs.yaml` holds how they are spoken of, written from rendered text. A sentence must fit a pattern as a whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader.landmark import landmark
from refusalbench_tasks.worlds.reader.lexicon import WORDS
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.statement import Denial, Either, Fact, Names, Statement, Values
from refusalbench_tasks.worlds.values import Value

SLOT = re.compile(r"\b([NEQYDS])(\d)(?=s?\b)")
GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
LISTS = re.compile(r"\{(\w+)\}(?!\d)")
OPENING = re.compile(r"^[a-z][\w-]*$")
NOT_WORDS = re.compile(r"[,'\"“”‘]")
MEASURED = re.compile(r"(<Q\d+>) (weeks|days|(?:centi|kilo)?metres)\b")
SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to speak of a matter."""

    pattern: re.Pattern[str]
    entry: dict[str, Any]
    landmark: str
    """Words that a sentence must hold to fit."""


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
        return Value("place" if unit == "place" else "person", str(token.content))


def plural_off(words: str) -> str:
    """Return words without the endings of plurals."""
    return re.sub(r"(\w)s\b", r"\1", words)


def affair(line: Line, pair: Sequence[Token] = ()) -> list[Statement | Named | Pair] | None:
    """Return what a sentence states of a matter; None if it fits no frame.

    `pair` are the people or the thing that the sentence before brought in: `this one` and `that one`.
    """
    for found, entry in _fitting(line, "text", pair):
        return [*_stated(found, entry)]
    return None


def affair_asked(line: Line) -> Ask | None:
    """Return a question about a matter as a logical form; None if it fits no frame."""
    for found, entry in _fitting(line, "ask"):
        subject, relation = entry["of"]
        readings = [found.words(one) for one in ([relation] if isinstance(relation, str) else relation)]
        if "senses" in entry:
            noun = found.match[entry["senses"]].split()[-1]
            readings += [plural_off(f"{readings[0]} {sense}") for sense in _held()["homonyms"].get(noun, ())]
        return Ask("value", readings[0] if len(readings) == 1 else tuple(readings), (found.name(subject),))
    return None


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
        yield Denial(str(found.name(subject)), found.words(relation))
    if "call" in entry:
        name, of = entry["call"]
        yield Named(str(found.name(name)), found.token(of))
        if found.token(of).mark == "thing":
            yield Pair((found.token(of),))
    if "pair" in entry:
        yield Pair(tuple(found.token(one) for one in entry["pair"]))


def _fitting(line: Line, use: str, pair: Sequence[Token] = ()) -> Iterator[tuple[Found, dict[str, Any]]]:
    units = dict(MEASURED.findall(line.shape))
    tokens = {tag: replace(one, unit=units.get(tag, one.unit)) for tag, one in line.tokens.items()}
    line = Line(line.text, line.shape, tokens)
    shape = SPACES.sub(" ", NOT_WORDS.sub("", _once(line))).strip(" .?!")
    for frame in frames(use):
        match = frame.pattern.fullmatch(shape) if frame.landmark in shape else None
        if match and (pair or "P1" not in str(frame.entry)):
            yield Found(line.part(shape), match, pair), frame.entry


def _once(line: Line) -> str:
    """Return a masked sentence in which a name has the same tag wherever it stands."""
    first: dict[tuple[str, object], str] = {}
    shape = line.shape
    for tag, one in line.tokens.items():
        kept = first.setdefault((one.mark, one.content), tag)
        shape = shape.replace(tag, kept)
    return MEASURED.sub(r"\1", shape)


@cache
def _held() -> dict[str, Any]:
    held: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("affairs.yaml").read_text(encoding="utf-8"))
    return held


@cache
def frames(use: str) -> tuple[Frame, ...]:
    """Return the frames of texts (`text`) or questions (`ask`)."""
    return tuple(
        Frame(found, entry, landmark(found.pattern))
        for name, entries in _held().items()
        if name not in ("macros", "homonyms")
        for entry in entries
        if use in entry
        for found in map(compiled, [entry[use]] if isinstance(entry[use], str) else entry[use])
    )


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a frame as a pattern: `N1` is a name, `E1` a thing, `DOC` what is kept in an office, `{trade}` a list."""
    seen: set[str] = set()

    def slot(found: re.Match[str]) -> str:
        name = found[1] + found[2]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        bare = r"|^[a-z][\w-]*" if found[1] == "N" else ""
        return rf"(?P<{name}><{found[1]}\d+>{bare})"

    def once(found: re.Match[str]) -> str:
        if found[1] in seen:
            return f"(?P={found[1]})"
        seen.add(found[1])
        return found[0]

    macros = _held()["macros"]
    text = LISTS.sub(lambda one: macros[one[1]] if one[1] in macros else one[0], pattern)
    text = LISTS.sub(lambda one: f"(?:{'|'.join(WORDS[one[1]])})", text)
    text = text.replace("DOC", f"(?:{'|'.join(WORDS['documents'])})")
    return re.compile(SLOT.sub(slot, GROUP.sub(once, text)))
