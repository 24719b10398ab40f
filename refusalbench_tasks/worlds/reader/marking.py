"""Masks a sentence: names, numbers, dates and sources become tags, the rest lower-case words."""

import re
from calendar import day_name, month_name
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon
from refusalbench_tasks.worlds.reader.sources import source_patterns
from refusalbench_tasks.worlds.reader.token import LETTER, Mark, Token

MONTHS = tuple(month_name)[1:]
DAYS = frozenset(day_name)
_MONTH = "|".join(MONTHS)
DATE = re.compile(rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH})|({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?),? (\d{{4}})\b")
ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
MONTHLY = re.compile(_MONTH)
MONTH = re.compile(rf"\b({_MONTH}) (?:of )?(\d{{4}})\b")
TIME = re.compile(r"\b(\d{1,2})[:.](\d{2})(?:\s?([ap])\.?m\b\.?)?(?![\d%])|\b(\d{1,2})\s?([ap])\.?m\b\.?")
NUMBER = re.compile(r"(?<![\w<.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w<.,])\d+(?:\.\d+)?(?!\w)")
CAPITALS = re.compile(r"(?<!\w)[A-Z][\w’-]*[a-z](?: [A-Z][\w’-]*[a-z])*(?!\w)")
_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
CARDINALS = {word: number for number, word in enumerate(_WORDS)}
CAPITAL = re.compile(r"<\w\d+>|[^\W\d_a-z]+")
DIGIT = re.compile(r"(?<!<[A-Z])(?<!<[A-Z]\d)\d")
TAG = re.compile(r"<\w\d+>")
ENTERED = re.compile(r"(\b(?:entered|entry(?: of <E\d+>)?|put|inscribed) (?:in|on|into|onto) |\b[Dd]id )(<S\d+>)")
"""A register that something is entered in, or what a court did: no source."""
NO_NAMES = frozenset((*WORDS["feasts"], *MONTHS))
"""Words with a capital that name nobody, wherever they stand: feasts and months."""
TITLES = re.compile(r"^(?:Dr|Mr|Mrs|Ms|Professor|Sir|Dame)\.? ")


@lru_cache(maxsize=4096)
def tags(shape: str) -> tuple[str, ...]:
    """Return the tags of a masked sentence in order."""
    return tuple(TAG.findall(shape))


@dataclass(slots=True)
class Line:
    """One sentence: as it stands, masked, and what the tags stand for."""

    text: str
    shape: str
    tokens: dict[str, Token] = field(default_factory=dict)

    def marked(self, *marks: Mark) -> list[Token]:
        """Return the tokens of some marks that the shape still holds, in the order of the sentence."""
        if not self.tokens:
            return []
        found = [self.tokens[tag] for tag in tags(self.shape)]
        return [one for one in found if one.mark in marks]

    def part(self, shape: str) -> "Line":
        """Return a line of the same tokens with only some of the words."""
        return Line(self.text, shape, self.tokens)


@dataclass(frozen=True)
class Marker:
    """Masks the sentences of one text; it knows which capitalised words are names by where else they stand."""

    words: Lexicon
    inner: frozenset[str]
    """Words that are written with a capital in the middle of some sentence."""

    def mark(self, sentence: str) -> Line:
        """Return a sentence masked."""
        line = Line(sentence, sentence)
        for kind, landmark, pattern in self.words.names:
            if landmark in line.shape:
                self._replace(line, pattern, lambda found, kind=kind: Token("thing", "", _named(found[0]), kind=kind))
        for rank, pattern in source_patterns(self.words):
            self._replace(line, pattern, lambda found, rank=rank: Token("source", "", found[0], kind=rank))
        if line.tokens:
            line.shape = ENTERED.sub(lambda found: found[1] + str(line.tokens[found[2]].content), line.shape)
        self._numbers(line)
        self._names(line)
        line.shape = CAPITAL.sub(lambda one: one[0] if one[0][0] == "<" else one[0].lower(), line.shape)
        line.shape = line.shape.replace("’", "'")
        return line

    def _replace(self, line: Line, pattern: re.Pattern[str], make) -> None:  # type: ignore[no-untyped-def]
        def put(found: re.Match[str]) -> str:
            token = make(found)
            if token is None:
                return found[0]
            tag = f"<{LETTER[token.mark]}{len(line.tokens)}>"
            line.tokens[tag] = Token(token.mark, tag, token.content, token.unit, token.kind)
            return tag

        line.shape = pattern.sub(put, line.shape)

    def _numbers(self, line: Line) -> None:
        if not DIGIT.search(line.shape):
            return
        if "-" in line.shape:
            self._replace(line, ISO, lambda one: Token("date", "", one[0]))
        if MONTHLY.search(line.shape):
            self._replace(line, DATE, _date)
            self._replace(line, MONTH, lambda one: Token("month", "", f"{one[2]}-{MONTHS.index(one[1]) + 1:02}"))
        self._replace(line, _quantity(self.words.units), lambda one: Token("number", "", _number(one[1]), one[2]))
        self._replace(line, TIME, _time)
        self._replace(line, NUMBER, _plain)

    def _names(self, line: Line) -> None:
        first = re.search(r"[\w<]", line.shape)
        start = first.start() if first else 0

        if start < len(line.shape) and line.shape[start] != "<":
            word = re.match(r"[\w’'-]+", line.shape[start:])
            if (
                word
                and (word[0] not in self.inner or word[0] in self.words.fixed)
                and not _runs_on(line.shape[start:], word[0])
            ):
                line.shape = line.shape[:start] + line.shape[start].lower() + line.shape[start + 1 :]
        self._replace(
            line,
            CAPITALS,
            lambda found: (
                None
                if found[0] in self.words.capitals or found[0] in NO_NAMES or found[0].removesuffix("s") in DAYS
                else Token("name", "", TITLES.sub("", found[0]))
            ),
        )


def marker(words: Lexicon, sentences: Iterable[str]) -> Marker:
    """Return a marker for the sentences of one text."""
    inner = {
        word
        for sentence in sentences
        for found in re.finditer(r"(?<=[\w,;:] )[A-Z][a-z]+(?: [A-Z][a-z]+)*", sentence)
        for word in found[0].split(" ")
    }
    return Marker(words, frozenset(inner) - words.name_words)


_OPENERS = frozenset(WORDS["openers"])


def _runs_on(text: str, word: str) -> bool:
    """Return whether a sentence opens with a name: `Lulmost Noskett runs …`, `Bolesk is where …`."""
    if word in _OPENERS:
        return False
    if re.match(r"[A-Z][a-z]+ is (?:where|home to|the (?:home|seat|place|town|site))\b", text):
        return True
    return bool(re.match(r"(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-Z][a-z]+ [A-Z][a-z]+\b", text))


@cache
def _quantity(units: tuple[str, ...]) -> re.Pattern[str]:
    if not units:
        return re.compile(r"(?!)")
    names = "|".join(re.escape(unit) + ("" if unit.endswith("s") else "s?") for unit in units)
    singular = "|".join(re.escape(unit[:-1]) for unit in units if unit.endswith("s"))
    return re.compile(
        r"(?<![\w<.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)[ -]"
        rf"({names}{'|' + singular if singular else ''})(?!\w)"
    )


def _named(text: str) -> str:
    """Return a name as it stands within a sentence: `the Elster Inn`."""
    return "the " + text.removeprefix("The ") if text.startswith("The ") else text


def _number(text: str) -> int | float:
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _plain(found: re.Match[str]) -> Token:
    text = found[0]
    if len(text) == 4 and text.isdigit() and 1000 <= int(text) <= 2199:
        return Token("year", "", int(text))
    return Token("number", "", _number(text))


def _date(found: re.Match[str]) -> Token:
    day, month = found[1] or found[4], found[2] or found[3]
    return Token("date", "", f"{found[5]}-{MONTHS.index(month) + 1:02}-{int(day):02}")


def _time(found: re.Match[str]) -> Token:
    hour, minute = int(found[1] or found[4]), int(found[2] or 0)
    half = found[3] or found[5]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return Token("time", "", f"{hour:02}:{minute:02}")
