"""What was read of sentences before: one that differs in its name and value alone is read by looking it up.

Only for sentences about one thing with one value at most, and no source: nothing but the words, the kinds of tokens and
their units then decides what is read, so that the name and the value can be put into what was read before.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line, tags
from refusalbench_tasks.worlds.reader.typed import value_of
from refusalbench_tasks.worlds.statement import Denial, Fact, Statement

MOST = 32_768
"""Sentences that are remembered; the oldest makes room."""
Key: TypeAlias = tuple[str, str, str, tuple[str, str] | None]
"""Domain, words, kind of the thing, mark and unit of the value."""
_read: dict[Key, Fact | Denial | None] = {}


class Plain:
    """A sentence about one thing, with at most one token beside it."""

    def __init__(self, line: Line, words: Lexicon) -> None:
        """Take the sentence apart; `key` is None if it is not such a sentence."""
        self.words = words
        self.key: Key | None = None
        found = [line.tokens[tag] for tag in tags(line.shape)]
        things = [one for one in found if one.mark == "thing"]
        others = [one for one in found if one.mark != "thing"]
        if len(things) != 1 or len(others) > 1 or words.topic or not isinstance(things[0].content, str):
            return
        self.name, self.token = things[0].content, others[0] if others else None
        if self.token is None or self.token.mark != "source":
            value = (self.token.mark, self.token.unit) if self.token else None
            self.key = (words.domain, line.shape, things[0].kind, value)

    def recalled(self) -> list[Statement] | None:
        """Return what such a sentence states; None if none like it was read."""
        if self.key is None or self.key not in _read:
            return None
        known = _read[self.key]
        return [] if known is None else [self._of_this(known)]

    def _of_this(self, known: Fact | Denial) -> Statement:
        if isinstance(known, Denial) or self.token is None:
            return replace(known, subject=self.name)
        value = value_of(self.words.relations[known.relation], self.token)
        assert value is not None
        return Fact(self.name, known.relation, value, "", "", 1, known.about)

    def note(self, stated: Sequence[object]) -> None:
        """Remember what a sentence states, if it is nothing, or one fact or denial that is told of any thing alike."""
        if self.key is None or len(stated) > 1:
            return
        known = stated[0] if stated else None
        if known is None or isinstance(known, Denial) or (isinstance(known, Fact) and self._same(known)):
            if len(_read) >= MOST:
                _read.pop(next(iter(_read)))
            _read[self.key] = known

    def _same(self, known: Fact) -> bool:
        if known.relation not in self.words.relations or known.at or known.source:
            return False
        value = value_of(self.words.relations[known.relation], self.token) if self.token else known.value
        return value == known.value and self._of_this(known) == known
