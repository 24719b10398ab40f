"""A candidate beside its plan, as every rule sees it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.slot import Slot


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

    @property
    def lever(self) -> Lever | None:
        """Return the lever that the candidate names, if its cell has it."""
        named = self.candidate.lever.casefold()
        return next((lever for lever in self.cell if lever.name.casefold() == named), None)

    @property
    def query_changed(self) -> bool:
        """Whether the question differs from the original in more than spacing."""
        return _spaced(self.candidate.query) != _spaced(self.base.query)

    @property
    def changed(self) -> frozenset[int]:
        """Return the positions of the passages that differ in more than spacing and a ground sentence."""
        pairs = zip(self.base.passages, self.candidate.ungrounded, strict=False)
        return frozenset(k for k, (old, new) in enumerate(pairs) if _spaced(old) != _spaced(new))


Rule = Callable[[Case], str | None]
"""Returns a sentence for the writer if the candidate breaks the rule."""


def _spaced(text: str) -> str:
    return " ".join(text.split())
