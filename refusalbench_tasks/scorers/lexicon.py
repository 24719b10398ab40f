"""A list of expressions by dimension, and where they occur in a text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.scorers.normal_words import month_as_name, next_is_number, normal_words, padded

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

    def count_substrings(self, text: str) -> int:
        """Return what the released code counts: for each entry of the list, its occurrences as a substring."""
        lowered = text.lower()
        return sum(lowered.count(term) for term, _ in self.terms)

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
    file = resources.files("refusalbench_tasks.scorers") / "data" / f"{name}.yaml"
    return _from_yaml(file.read_text(encoding="utf-8"), f"{name}.yaml")


def load_lexicon(name: str) -> Lexicon:
    """Return a bundled lexicon, or one from a file.

    A YAML or JSON file has the layout of the bundled ones; any other file has one term a line (`#` starts a comment).
    Raises DataError for a missing or malformed file.
    """
    if name in BUNDLED:
        return bundled_lexicon(name)
    path = Path(name).expanduser()
    if not path.is_file():
        raise DataError(f"lexicon: no such file '{name}'; bundled lists: {', '.join(BUNDLED)}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"lexicon: '{name}' is not UTF-8 text") from None
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return _from_yaml(text, name)
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return _checked({"dimensions": {"listed": [line for line in lines if line]}}, name)


def _from_yaml(text: str, name: str) -> Lexicon:
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DataError(f"lexicon: '{name}' is not valid YAML ({str(error).splitlines()[0]})") from None
    return _checked(content, name)


def _checked(content: object, name: str) -> Lexicon:
    if not isinstance(content, Mapping) or not isinstance(content.get("dimensions"), Mapping):
        raise DataError(f"lexicon: '{name}' needs 'dimensions', a mapping of dimension to a list of terms")
    terms = [
        (term, str(dimension))
        for dimension, listed in content["dimensions"].items()
        for term in _strings(listed, f"dimensions.{dimension}", name)
    ]
    if not terms:
        raise DataError(f"lexicon: '{name}' has no terms")
    return Lexicon(
        tuple(terms),
        tuple(_strings(content.get("not_terms", []), "not_terms", name)),
        frozenset(_strings(content.get("only_before_number", []), "only_before_number", name)),
    )


def _strings(listed: object, field: str, name: str) -> Sequence[str]:
    if not isinstance(listed, Iterable) or isinstance(listed, str | Mapping):
        raise DataError(f"lexicon: '{name}', field '{field}': expected a list of terms")
    entries = list(listed)
    for entry in entries:
        if not isinstance(entry, str) or not padded(entry).strip():
            raise DataError(f"lexicon: '{name}', field '{field}': expected a term with a word in it, found {entry!r}")
    return entries
