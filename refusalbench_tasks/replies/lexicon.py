"""A list of expressions by dimension, and where they occur in a text."""

import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import PurePath
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.documents import read_list_file, yaml_value
from refusalbench_tasks.replies.normal_words import month_as_name, next_is_number, normal_words, padded

BUNDLED = ("hedges", "boosters")
_CONDITIONAL = 2


@dataclass(frozen=True)
class Match:
    """One occurrence of a term: its first word's number in the text, from 0, and how many words it has.

    A stop between sentences counts as a word.
    """

    term: str
    dimension: str
    position: int
    length: int


@dataclass(frozen=True)
class Lexicon:
    """Terms with their dimension, in the order of the list (a list may name a term twice).

    `not_terms` contain a term and are none: they take its words away. The terms in `only_before_number` count only if
    a number follows.
    """

    terms: tuple[tuple[str, str], ...]
    not_terms: tuple[str, ...] = ()
    only_before_number: frozenset[str] = frozenset()

    def find(self, text: str) -> list[Match]:
        """Return the matches in a text, left to right: whole words, the longest first, without overlaps.

        Case and punctuation do not matter, save that no term reaches over the end of a sentence.
        """
        words = normal_words(month_as_name(text))
        found = []
        for index, start, end in self._automaton.find_matches_as_indexes(words):
            term, dimension, length, needs_number = self._entries[index]
            if dimension is not None and not (needs_number and not next_is_number(words, end)):
                found.append(Match(term, dimension, words.count(b"  ", 0, start + 1), length))
        return found

    def count(self, text: str) -> int:
        """Return the number of matches in a text, without building them."""
        words = normal_words(month_as_name(text) if "May" in text else text)
        kinds, total = self._kinds, 0
        for index, _, end in self._automaton.find_matches_as_indexes(words):
            kind = kinds[index]
            total += kind if kind < _CONDITIONAL else next_is_number(words, end)
        return total

    def substrings(self, text: str) -> Counter[str]:
        """Return what the released code counts: each entry's occurrences as a substring, twice if it is listed twice.

        The text is in lower case and the entry as it is listed, so one with a capital letter never occurs.
        """
        lowered, found = text.lower(), Counter[str]()
        for term, _ in self.terms:
            n = lowered.count(term)
            if n:
                found[term] += n
        return found

    def count_substrings(self, text: str) -> int:
        """Return the number of `substrings`."""
        return self.substrings(text).total()

    @cached_property
    def _entries(self) -> list[tuple[str, str | None, int, bool]]:
        distinct: dict[bytes, tuple[str, str | None]] = {padded(term): (term, None) for term in self.not_terms}
        distinct |= {padded(term): (term, dimension) for term, dimension in self.terms}
        return [(t, d, len(key.split()), t in self.only_before_number) for key, (t, d) in distinct.items()]

    @cached_property
    def _kinds(self) -> list[int]:
        """Return what a match of each entry adds to a count: 0, 1, or 1 if a number follows."""
        return [0 if d is None else _CONDITIONAL if number else 1 for _, d, _, number in self._entries]

    @cached_property
    def _automaton(self) -> Any:
        from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

        return BytesAhoCorasick(
            [padded(term) for term, _, _, _ in self._entries],
            matchkind=MatchKind.LeftmostLongest,
            implementation=Implementation.DFA,
        )


@cache
def bundled_lexicon(name: str) -> Lexicon:
    """Return a lexicon shipped with the package: `hedges` (350 terms, six dimensions) or `boosters`."""
    file = resources.files("refusalbench_tasks.replies") / "data" / f"{name}.yaml"
    return _from_yaml(file.read_text(encoding="utf-8"), f"'{name}.yaml'")


def load_lexicon(name: str, argument: str = "lexicon") -> Lexicon:
    """Return a bundled lexicon, or one from a file.

    A YAML or JSON file has the layout of the bundled ones; any other file has one term a line (`#` starts a comment).
    Raises DataError, which names the argument, for a missing or malformed file.
    """
    name = str(name)  # a number, if the command line was given one
    if name in BUNDLED:
        return bundled_lexicon(name)
    text = read_list_file(name, argument, f"bundled lists: {', '.join(BUNDLED)}").removeprefix("\ufeff")
    place = f"{argument}: '{name}'"
    if PurePath(name).suffix.lower() in (".yaml", ".yml", ".json"):
        return _from_yaml(text, place)
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return _checked({"dimensions": {"listed": [line for line in lines if line]}}, place)


def _from_yaml(text: str, place: str) -> Lexicon:
    return _checked(yaml_value(text, place), place)


def _checked(content: object, place: str) -> Lexicon:
    if not isinstance(content, Mapping) or not isinstance(content.get("dimensions"), Mapping):
        raise DataError(f"{place} needs 'dimensions', a mapping of dimension to a list of terms")
    terms = [
        (term, str(dimension))
        for dimension, listed in content["dimensions"].items()
        for term in _strings(listed, f"dimensions.{dimension}", place)
    ]
    if not terms:
        raise DataError(f"{place} has no terms")
    return Lexicon(
        tuple(terms),
        tuple(_strings(content.get("not_terms", []), "not_terms", place)),
        frozenset(_strings(content.get("only_before_number", []), "only_before_number", place)),
    )


def _strings(listed: object, field: str, place: str) -> Sequence[str]:
    if not isinstance(listed, Iterable) or isinstance(listed, str | Mapping):
        raise DataError(f"{place}, field '{field}': expected a list of terms")
    entries = list(listed)
    for entry in entries:
        if not isinstance(entry, str) or not padded(entry).strip():
            found = reprlib.repr(entry)
            raise DataError(f"{place}, field '{field}': expected a term with a word in it, found {found}")
    return entries
