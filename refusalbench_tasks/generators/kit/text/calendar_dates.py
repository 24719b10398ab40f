"""Dates in English text: "3 October 1874", "the 3rd of October", "Oct. 3, 1874", "1874-10-03", "October"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.generators.kit.text.number_words import cardinal, ordinal

_NAMES = "january february march april may june july august september october november december"
MONTH_NAMES = tuple(_NAMES.split())
"""The months in full, in small letters."""
_MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
_MONTHS |= {name[:3]: number for name, number in list(_MONTHS.items())} | {"sept": 9}
BEGINNINGS = frozenset({"the", *_MONTHS})
"""The words that a date begins with, besides numbers and ordinals."""
_ALSO_WORDS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "sept", "august", "april", "june"})
"""Months that are a verb, an adjective or a person's name as well."""
_AFTER_MONTHS_WORDS = "is was has had and or to in of through until saw sees brings brought"
_AFTER_MONTHS = frozenset(_AFTER_MONTHS_WORDS.split())
_FARTHEST = 6
"""Pieces among which a month must be: "the twenty first day of May"."""

Piece = tuple[str, float | None, bool]
"""A word, its number if it is one, and whether a sentence begins with it."""


@dataclass(frozen=True)
class Date:
    """A day, a month or a part of it; None is what a text leaves open."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    either_order: bool = False
    """Whether day and month may be exchanged, as between slashes."""

    def gives(self, asked: "Date") -> bool:
        """Return whether this date, from a text, says what the asked one says.

        It may say more, and may leave out the year of a day: "on 3 October" gives 3 October 1874.
        """
        if self.either_order and Date(self.year, self.day, self.month).gives(asked):
            return True
        pairs = ((self.year, asked.year), (self.month, asked.month), (self.day, asked.day))
        if any(mine is not None and theirs is not None and mine != theirs for mine, theirs in pairs):
            return False
        missing = [theirs for mine, theirs in pairs if mine is None and theirs is not None]
        return not missing or (self.day is not None and asked.day is not None and missing == [asked.year])


def written_date(text: str) -> Date | None:
    """Return the date of "1874-10-03", "3.10.1874" or "31/10/1874".

    Between slashes or hyphens day and month are left open where both orders are possible. None if it is no date.
    """
    parts = [int(part) for part in re.findall(r"\d+", text)]
    year, month, day = parts if len(str(parts[0])) == 4 else parts[::-1]
    open_order = "." not in text and len(str(parts[0])) < 4
    if open_order and day <= 12 < month:
        month, day = day, month
    either = open_order and day <= 12 and month != day
    return Date(year, month, day, either) if 1 <= month <= 12 and 1 <= day <= 31 else None


def date_at(pieces: Sequence[Piece], is_answer: bool = False) -> tuple[Date, int] | None:
    """Return the date that a list of pieces begins with, and how many of them it takes; at least a month is named.

    A month has a capital letter except in an answer. One that is another word too is none between names ("Theresa
    May", "June Carter") unless a number is beside it, nor where a sentence begins and no verb or preposition
    follows ("May boats cross?").
    """
    words = [word.lower().rstrip(".") for word, _, _ in pieces]
    if _MONTHS.keys().isdisjoint(words[:_FARTHEST]):
        return None
    day, taken = _day(pieces, words)
    if day:
        taken += next((len(one) for one in (["of"], ["day", "of"]) if words[taken : taken + len(one)] == one), 0)
    name = words[taken] if taken < len(words) else ""
    if name not in _MONTHS or not (is_answer or pieces[taken][0][:1].isupper()):
        return None
    month, taken = _MONTHS[name], taken + 1
    if day is None:
        day, more = _day(pieces[taken:], words[taken:])
        taken += more
    if words[taken : taken + 1] == ["of"] and _year(pieces[taken + 1 :], words[taken + 1 :])[0]:
        taken += 1
    year, more = _year(pieces[taken:], words[taken:])
    bare = day is None and year is None
    if bare and not is_answer and ((len(name) < 4 and name != "may") or _is_other_word(name, pieces)):
        return None
    return Date(year, month, day), taken + more


def _day(pieces: Sequence[Piece], words: Sequence[str]) -> tuple[int | None, int]:
    skip = 1 if words[:1] == ["the"] else 0
    if skip < len(pieces):
        number = pieces[skip][1]
        if number is not None and number.is_integer() and 1 <= number <= 31:
            return int(number), skip + 1
        spelt = ordinal(words[skip:]) or cardinal(words[skip : skip + 2])
        if spelt and 1 <= spelt[0] <= 31:
            return spelt[0], skip + spelt[1]
    return None, 0


def _year(pieces: Sequence[Piece], words: Sequence[str]) -> tuple[int | None, int]:
    if not pieces:
        return None, 0
    number = pieces[0][1]
    if number is not None and number.is_integer() and 1000 <= number <= 2200 and "," not in pieces[0][0]:
        return int(number), 1
    spelt = cardinal(words)
    return spelt if spelt and 1000 <= spelt[0] <= 2200 else (None, 0)


def _is_other_word(name: str, pieces: Sequence[Piece]) -> bool:
    if name not in _ALSO_WORDS:
        return False
    following = pieces[1][0] if len(pieces) > 1 else ""
    if following[:1].isupper():
        return not pieces[1][2]
    return pieces[0][2] and following != "" and not pieces[1][2] and following.lower() not in _AFTER_MONTHS
