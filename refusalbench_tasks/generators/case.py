"""A candidate beside its plan, as every rule sees it."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.kit.text.content_words import sign
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.levers import Keeps, Lever, Strategy, Target, usually_kept
from refusalbench_tasks.generators.slot import Slot

_QUOTES = {"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‑": "-", "−": "-"}
_PLAIN = str.maketrans(_QUOTES | {"\u200b": None, "\u00ad": None, "\ufeff": None})
_SAY_NOTHING_WORDS = "also indeed so then thus well just very really quite simply too however in at on"
_SAY_NOTHING = frozenset(_SAY_NOTHING_WORDS.split())


@dataclass(frozen=True)
class Case:
    """A candidate beside its plan; `cell` are the levers that its class and intensity have."""

    slot: Slot
    candidate: Candidate
    cell: Sequence[Lever]

    @property
    def base(self) -> RefusalItem:
        """Return the question that was perturbed."""
        return self.slot.base

    @cached_property
    def lever(self) -> Lever | None:
        """Return the planned lever; where the writer chooses, the one of the cell that the candidate names."""
        named = [lever for lever in self.cell if lever.name.casefold() == (self.slot.lever or "").casefold()]
        if self.slot.lever is None:
            wanted = _bare_name(self.candidate.lever)
            named = [lever for lever in self.cell if _bare_name(lever.name) == wanted]
        return named[0] if len(named) == 1 else None

    @property
    def target(self) -> Target | Strategy | None:
        """Return where the lever acts on this base: with one passage, or with several."""
        if self.lever is None:
            return None
        return self.lever.multi if self.slot.multi else self.lever.single

    @property
    def keeps_answer(self) -> Keeps:
        """Return what must become of the answer in the passages."""
        return self.lever.keeps_answer if self.lever else usually_kept(self.slot.perturbation, self.slot.intensity)

    @cached_property
    def asked(self) -> Asked:
        """Return the original question with its answers and passages."""
        return Asked(self.base.query, self.base.answers, self.base.passages)

    @cached_property
    def query_changed(self) -> bool:
        """Whether the question differs from the original in more than spacing, typography and its last sign."""
        return _plain(self.candidate.query).rstrip("?. ") != _plain(self.base.query).rstrip("?. ")

    @cached_property
    def query_says_more(self) -> bool:
        """Whether the question differs in what it says."""
        return _said(self.candidate.query) != _said(self.base.query)

    @cached_property
    def changed(self) -> frozenset[int]:
        """Return the positions of the passages that differ in more than spacing, typography and a ground sentence."""
        return frozenset(k for k, (old, new) in self._pairs if _plain(old) != _plain(new))

    @cached_property
    def rewritten(self) -> frozenset[int]:
        """Return the positions of the passages that differ in what they say, not only in punctuation or filler."""
        return frozenset(k for k, (old, new) in self._pairs if _said(old) != _said(new))

    @property
    def _pairs(self) -> list[tuple[int, tuple[str, str]]]:
        return list(enumerate(zip(self.base.passages, self.candidate.ungrounded, strict=False)))


Rule = Callable[[Case], str | None]
"""Returns a sentence for the writer if the candidate breaks the rule."""


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.translate(_PLAIN))
    return " ".join(folded.replace("...", "…").split())


def _said(text: str) -> list[str]:
    return [sign(token) for token in typed_tokens(text) if token.form not in _SAY_NOTHING]


def _bare_name(name: str) -> str:
    """Return a lever's name without what stands in brackets, in words that a writer may set in any type."""
    return " ".join(re.findall(r"\w+", _plain(re.sub(r"\([^)]*\)", "", name)).casefold()))
