"""A list of expressions by dimension, and where they occur in a text."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from refusalbench_tasks.replies.normal_words import month_as_name, next_is_number, normal_words
from refusalbench_tasks.replies.term_rules import Around, Rule
from refusalbench_tasks.replies.term_search import TermSearch, several_words, without_last_word

_COUNTS, _IS_NONE, _BEFORE_NUMBER, _CONDITIONAL = range(4)
"""What an entry is: a term that counts everywhere, no term, a term if a number follows, a term if its rules hold."""
_SPACE = ord(" ")
_Taken = tuple[int, int, int, Rule | None]
"""An entry, where it starts and ends, and the rule that it counts by (none: it is no term)."""


@dataclass(frozen=True)
class Match:
    """One occurrence of a term: its first word's number in the text, from 0, and how many words it has.

    A stop between sentences counts as a word. `strength` is None where the list states none.
    """

    term: str
    dimension: str
    position: int
    length: int
    strength: float | None = None


@dataclass(frozen=True)
class Lexicon:
    """Terms with their dimension, in the order of the list (a list may name a term twice).

    `not_terms` contain a term and are none: they take its words away. The terms in `only_before_number` count only if
    a number follows. A term in `rules` counts by the first of its rules that holds, and by none otherwise.
    """

    terms: tuple[tuple[str, str], ...]
    not_terms: tuple[str, ...] = ()
    only_before_number: frozenset[str] = frozenset()
    rules: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    sha256: str = field(default="", compare=False)
    """Of the file that the list is from."""

    @cached_property
    def unconditional(self) -> bool:
        """Whether no term depends on what stands around it, so that it can be counted as a substring."""
        return all(rule.unconditional for rules in self.rules.values() for rule in rules)

    @cached_property
    def has_strengths(self) -> bool:
        """Whether the list states the strength of every term."""
        stated = {term for term, rules in self.rules.items() if all(rule.strength is not None for rule in rules)}
        return all(term in stated for term, _ in self.terms)

    def find(self, text: str) -> list[Match]:
        """Return the matches in a text, left to right: whole words, the longest first, without overlaps.

        Case and punctuation do not matter, save that no term reaches over the end of a sentence. A term that does not
        count where it stands takes no words away from others.
        """
        words = normal_words(month_as_name(text))
        found, number, place = [], 0, 0
        for index, start, end, rule in self._hits(words):
            number, place = number + words.count(b" ", place, start), start
            term, length = self._entries[index][0], words.count(b" ", start, end)
            if rule.through is not None:
                term = words[start:end].decode().strip()
            found.append(Match(term, rule.dimension, number, length, rule.strength))
        return found

    def strength(self, matches: Iterable[Match]) -> float:
        """Return the sum of the matches' strengths, so that a weak hedge is worth less than a strong one (ours).

        0 without matches. NaN for a list that does not state the strength of every term.
        """
        if not self.has_strengths:
            return float("nan")
        return sum((match.strength for match in matches if match.strength is not None), 0.0)

    def count(self, text: str) -> int:
        """Return the number of matches in a text, without building them."""
        # a search for one letter costs a tenth of one for the word
        words = normal_words(month_as_name(text) if "M" in text and "May" in text else text)
        counting, no_more, before_number = self._bounds
        total, free = 0, 0
        for index, start, end in self._search.any_place(words):
            # words[-1] is a space too; what most matches are is asked first
            if words[start - 1] != _SPACE:
                if several_words(words, start, end):
                    return sum(1 for _ in self._hits(words))
            elif index < counting and start >= free:
                total += 1
            elif index < before_number and start >= free:
                if index >= no_more and next_is_number(words, end):
                    total += 1
            elif end > free:
                for _, _, last, rule in self._instead(index, words, start, end, free):
                    total, free = total + (rule is not None), last
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

    def _hits(self, words: bytes) -> Iterator[tuple[int, int, int, Rule]]:
        """Yield entry, start, end and rule of each match."""
        counting, free = self._bounds[0], 0
        for index, start, end in self._search.at_words(words):
            if words[start - 1] == _SPACE and end > free:
                if index < counting and start >= free:
                    yield index, start, end, self._entries[index][1][0]
                    continue
                for entry, first, last, rule in self._instead(index, words, start, end, free):
                    free = last
                    if rule is not None:
                        yield entry, first, last, rule

    def _instead(self, index: int, words: bytes, start: int, end: int, free: int) -> Sequence[_Taken]:
        """Return the term from `start` to `end` if it begins at `free` or later and counts, else those in its place."""
        if start < free:
            return self._counting(words, free, end)
        held = self._held(index, words, start, end)
        if held is not None:
            return ((index, start, held[1], held[0]),)
        if self._entries[index][1] and several_words(words, start, end):
            return self._counting(words, start, end, without_last_word(words, end))
        return ()

    def _counting(self, words: bytes, place: int, end: int, limit: int | None = None) -> list[_Taken]:
        """Return the terms that count, and those that are none (without a rule), from a place to the end of a term.

        At each word it is the longest that counts: one that does not count takes no words away. With `limit` a term at
        the place itself must end there.
        """
        taken = []
        while place < end:
            found = self._longest_at(words, place, limit)
            limit = None
            if found is None:
                place = words.find(b" ", place) + 1
            else:
                taken.append(found)
                place = found[2]
        return taken

    def _longest_at(self, words: bytes, place: int, limit: int | None) -> _Taken | None:
        """Return the longest term at a place that counts there, or that is none; None without one."""
        while limit is None or limit > place:
            found = self._search.longest_at(words, place, limit)
            if found is None:
                return None
            index, end = found
            if not self._entries[index][1]:
                return index, place, end, None
            held = self._held(index, words, place, end)
            if held is not None:
                return index, place, held[1], held[0]
            limit = without_last_word(words, end)
        return None

    def _held(self, index: int, words: bytes, start: int, end: int) -> tuple[Rule, int] | None:
        """Return the first rule that holds, and where the match ends."""
        term, rules = self._entries[index]
        if term in self.only_before_number and not next_is_number(words, end):
            return None
        around = Around(words, start, end)
        for rule in rules:
            n = rule.reach(around)
            if n >= 0:
                for _ in range(n):
                    end = words.find(b" ", end) + 1
                return rule, end
        return None

    @cached_property
    def _entries(self) -> list[tuple[str, tuple[Rule, ...]]]:
        """Return the distinct terms with their rules, none for what is no term, in the order of what they are."""
        distinct: dict[bytes, tuple[str, tuple[Rule, ...]]] = {
            normal_words(term): (term, ()) for term in self.not_terms
        }
        for term, dimension in self.terms:
            distinct[normal_words(term)] = (term, self.rules.get(term, (Rule(dimension),)))
        # within that by their letters: the search is faster where what begins alike is held together
        return [distinct[words] for words in sorted(distinct, key=lambda words: (self._kind(distinct[words]), words))]

    @cached_property
    def _bounds(self) -> tuple[int, int, int]:
        """Return where the entries end that count everywhere, that are none, and that count before a number."""
        kinds = [self._kind(entry) for entry in self._entries]
        return bisect_left(kinds, _IS_NONE), bisect_left(kinds, _BEFORE_NUMBER), bisect_left(kinds, _CONDITIONAL)

    def _kind(self, entry: tuple[str, tuple[Rule, ...]]) -> int:
        term, rules = entry
        if not rules:
            return _IS_NONE
        if not all(rule.unconditional for rule in rules):
            return _CONDITIONAL
        if term not in self.only_before_number:
            return _COUNTS
        # one of several words may stand where a shorter one counts
        return _CONDITIONAL if normal_words(term).count(b" ") > 1 else _BEFORE_NUMBER

    @cached_property
    def _search(self) -> TermSearch:
        return TermSearch([normal_words(term) for term, _ in self._entries])
