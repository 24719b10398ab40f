"""A list of expressions by dimension, and where they occur in a text."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from refusalbench_tasks.replies.normal_words import (
    is_number,
    month_as_name,
    normal_words,
)
from refusalbench_tasks.replies.term_rules import Around, TermRule

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
        return all(
            rule.unconditional for rules in self.rules.values() for rule in rules
        )

    @cached_property
    def has_strengths(self) -> bool:
        """Whether the list states the strength of every term."""
        if any(term not in self.rules for term, _ in self.terms):
            return False
        return all(
            rule.strength is not None
            for term, _ in self.terms
            for rule in self.rules[term]
        )

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
            matches += [match] if match else []
            start += taken
        return matches

    def count(self, text: str) -> int:
        """Return the number of matches in a text."""
        return len(self.find(text))

    def strength(self, matches: Iterable[Match]) -> float:
        """Return the sum of the matches' strengths, so that a weak hedge is worth less
        than a strong one (ours).

        0 without matches. NaN for a list that does not state the strength of every
        term.
        """
        if not self.has_strengths:
            return float("nan")
        return sum(
            (match.strength for match in matches if match.strength is not None), 0.0
        )

    def substrings(self, text: str) -> Counter[str]:
        """Return what the released code counts: each entry's occurrences as a
        substring, twice if it is listed twice.

        The text is in lower case and the entry as it is listed, so one with a capital
        letter never occurs.
        """
        lowered = text.lower()
        counts = Counter[str]()
        for term, _ in self.terms:
            n = lowered.count(term)
            if n:
                counts[term] += n
        return counts

    def count_substrings(self, text: str) -> int:
        """Return the number of `substrings`."""
        return self.substrings(text).total()

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
            if term in self.only_before_number and not (
                end < len(words) and is_number(words[end])
            ):
                continue
            around = Around(words, start, end)
            held = (
                (rule, more)
                for rule in rules
                if (more := rule.reach(around)) is not None
            )
            rule, more = next(held, (None, 0))
            if rule is not None:
                shown = term
                if rule.through is not None:
                    shown = " ".join(words[start : end + more])
                return length + more, Match(
                    shown, rule.dimension, start, length + more, rule.strength
                )
        return 1, None

    @cached_property
    def _entries(self) -> Mapping[tuple[str, ...], _Entry]:
        """Return the distinct terms, and what is none, by their words."""
        entries: dict[tuple[str, ...], _Entry] = {
            tuple(normal_words(term)): (term, ()) for term in self.not_terms
        }
        for term, dimension in self.terms:
            entries[tuple(normal_words(term))] = (
                term,
                self.rules.get(term, (TermRule(dimension),)),
            )
        return entries

    @cached_property
    def _lengths(self) -> Mapping[str, Sequence[int]]:
        """Return how long the terms are that begin with a word, the longest first."""
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for words in self._entries:
            lengths[words[0]].add(len(words))
        return {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
