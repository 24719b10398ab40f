"""A list of expressions by dimension, and where they occur in a text."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from .normal_words import (
    is_number,
    month_as_name,
    normal_words,
)
from .term_rules import Around, TermRule

_Entry = tuple[str, tuple[TermRule, ...]]
"""A term and the rules by which it counts; what is no term has none."""


@dataclass(frozen=True)
class Match:
    """One occurrence of a term: its first word's number in the text, from 0, and how
    many words it has.

    A stop between sentences counts as a word. `strength` is None where the list states
    none.
    """

    term: str
    dimension: str
    position: int
    length: int
    strength: float | None = None


@dataclass(frozen=True)
class Lexicon:
    """Terms with their dimension, in the order of the list (a list may name a term
    twice).

    `not_terms` contain a term and are none: they take its words away. The terms in
    `only_before_number` count only if a number follows. A term in `rules` counts by the
    first of its rules that holds, and by none otherwise.
    """

    terms: tuple[tuple[str, str], ...]
    not_terms: tuple[str, ...] = ()
    only_before_number: frozenset[str] = frozenset()
    rules: Mapping[str, tuple[TermRule, ...]] = field(default_factory=dict)
    sha256: str = field(default="", compare=False)
    """Of the file that the list is from."""

    @cached_property
    def unconditional(self) -> bool:
        """Whether no term depends on what stands around it, so that it can be counted
        as a substring.
        """
        rules = chain.from_iterable(self.rules.values())
        return all(rule.unconditional for rule in rules)

    @cached_property
    def has_strengths(self) -> bool:
        """Whether the list states the strength of every term."""
        for term, _ in self.terms:
            rules = self.rules.get(term, ())
            if not rules or any(rule.strength is None for rule in rules):
                return False
        return True

    def find(self, text: str) -> list[Match]:
        """Return the matches in a text, left to right: whole words, the longest first,
        without overlaps.

        Case and punctuation do not matter, save that no term reaches over the end of a
        sentence. A term that does not count where it stands takes no words away from
        others.
        """
        words = normal_words(month_as_name(text))
        matches = []
        start = 0
        while start < len(words):
            taken, match = self._longest_at(words, start)
            if match is not None:
                matches.append(match)
            start += taken
        return matches

    def strength(self, matches: Iterable[Match]) -> float:
        """Return the sum of the matches' strengths, so that a weak hedge is worth less
        than a strong one (ours).

        0 without matches. NaN for a list that does not state the strength of every
        term.
        """
        if not self.has_strengths:
            return float("nan")
        return sum((match.strength or 0.0 for match in matches), 0.0)

    def substrings(self, text: str) -> Counter[str]:
        """Return what the released code counts: each entry's occurrences as a
        substring, twice if it is listed twice.

        The text is in lower case and the entry as it is listed, so one with a capital
        letter never occurs.
        """
        lowered = text.lower()
        counts = Counter[str]()
        for term, _ in self.terms:
            counts[term] += lowered.count(term)
        return +counts

    def _longest_at(self, words: Sequence[str], start: int) -> tuple[int, Match | None]:
        """Return how many words the longest term at a place takes, and its match (None:
        it is no term); else 1, None.

        A term that does not count here leaves its place to a shorter one.
        """
        for length in self._lengths.get(words[start], ()):
            end = start + length
            entry = self._entries.get(tuple(words[start:end]))
            if entry is None or end > len(words):
                continue
            term, rules = entry
            if not rules:
                return length, None
            number_follows = end < len(words) and is_number(words[end])
            if term in self.only_before_number and not number_follows:
                continue
            around = Around(words, start, end)
            for rule in rules:
                more = rule.reach(around)
                if more is None:
                    continue
                length += more
                if rule.through is not None:
                    term = " ".join(words[start : start + length])
                match = Match(
                    term,
                    rule.dimension,
                    start,
                    length,
                    rule.strength,
                )
                return length, match
        return 1, None

    @cached_property
    def _entries(self) -> Mapping[tuple[str, ...], _Entry]:
        """Return the distinct terms, and what is none, by their words."""
        entries: dict[tuple[str, ...], _Entry] = {}
        for term in self.not_terms:
            entries[tuple(normal_words(term))] = (term, ())
        for term, dimension in self.terms:
            rules = self.rules.get(term, (TermRule(dimension),))
            entries[tuple(normal_words(term))] = (term, rules)
        return entries

    @cached_property
    def _lengths(self) -> Mapping[str, Sequence[int]]:
        """Return how long the terms are that begin with a word, the longest first."""
        lengths = defaultdict(set)
        for words in self._entries:
            lengths[words[0]].add(len(words))
        return {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
