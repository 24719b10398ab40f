"""Where terms stand in a text: a search for all of them at once."""

from collections.abc import Callable, Sequence
from functools import cached_property

_SPACE = ord(" ")
Found = tuple[int, int, int]
"""The number of a term, and where it starts and ends."""


class TermSearch:
    """A search for terms, each of them as it stands in `normal_words`, in texts of that form."""

    def __init__(self, terms: Sequence[bytes]) -> None:
        self._terms = terms
        self._widest = max(map(len, terms), default=0)
        self._first_words = frozenset(term[: term.find(b" ")] for term in terms)

    @cached_property
    def any_place(self) -> Callable[[bytes], list[Found]]:
        """Return the search for the longest terms, left to right and without overlaps; some may begin within a word."""
        return _search(self._terms)

    def at_words(self, words: bytes) -> list[Found]:
        """Return the same, but none that begins within a word hides another."""
        found = self.any_place(words)
        if any(words[start - 1] != _SPACE and several_words(words, start, end) for _, start, end in found):
            # a capital at each word's start: "it is said" is not looked for in "portrait is said", where "is said" is
            found = self._titled(words.title())
        return found

    def longest_at(self, words: bytes, place: int, limit: int | None = None) -> tuple[int, int] | None:
        """Return the number and the end of the longest term that starts at a place and ends by the limit."""
        if words[place : words.find(b" ", place)] not in self._first_words:
            return None
        limit = place + self._widest if limit is None else limit
        found = self.any_place(words[place:limit])
        return (found[0][0], place + found[0][2]) if found and not found[0][1] else None

    @cached_property
    def _titled(self) -> Callable[[bytes], list[Found]]:
        return _search([term.title() for term in self._terms])


def several_words(words: bytes, start: int, end: int) -> bool:
    """Whether there is more than one word, or a part of one, from one place to another."""
    return words.find(b" ", start) + 1 < end


def without_last_word(words: bytes, end: int) -> int:
    """Return where the last word before a place begins."""
    return words.rfind(b" ", 0, end - 1) + 1


def _search(terms: Sequence[bytes]) -> Callable[[bytes], list[Found]]:
    from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

    found = BytesAhoCorasick(terms, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.DFA)
    search: Callable[[bytes], list[Found]] = found.find_matches_as_indexes
    return search
