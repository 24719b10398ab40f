"""Levers that a writer does not bring off on bases with an answer of some kind: what a run has learnt of them."""

from collections import defaultdict
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from inspect_ai.model import Model

from refusalbench_tasks.generators.kit.answer_kind import AnswerKind, answer_kind
from refusalbench_tasks.generators.slot import Slot

HOPELESS, SURE = 0.15, 0.95
"""A lever is hopeless where acceptance is below the first with at least the second as its probability."""
FEWEST = 5
"""Tries before which nothing is said."""


@dataclass
class Count:
    """How often something was tried, and how often it was accepted."""

    tries: int = 0
    accepted: int = 0

    @property
    def hopeless(self) -> bool:
        """Whether acceptance is almost surely below `HOPELESS`: by a Beta posterior from Beta(1, 1) (our definition).

        That takes 18 tries of which none was accepted, 29 of which one was, and so on.
        """
        from scipy.special import betainc

        if self.tries < FEWEST:
            return False
        return float(betainc(1 + self.accepted, 1 + self.tries - self.accepted, HOPELESS)) > SURE


@dataclass
class Tries:
    """What one writer made of each lever on bases with an answer of each kind; a declined lever is a try."""

    counts: dict[tuple[str, AnswerKind], Count] = field(default_factory=lambda: defaultdict(Count))

    def add(self, slot: Slot, accepted: bool) -> None:
        """Count a candidate that was decided, or a lever that was declined."""
        count = self.of(slot)
        count.tries += 1
        count.accepted += accepted

    def of(self, slot: Slot) -> Count:
        """Return what is known of a slot's lever on such a base."""
        return self.counts[slot.lever or "", answer_kind(slot.base.query, slot.base.answers)]


_TRIES: WeakKeyDictionary[Model, Tries] = WeakKeyDictionary()
# solver and scorer of a run share what was learnt by the model that both know; it dies with the model


def tries_of(writer: Model) -> Tries:
    """Return what is known of a writer, as long as its model object lives."""
    return _TRIES.setdefault(writer, Tries())
