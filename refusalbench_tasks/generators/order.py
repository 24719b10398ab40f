"""In which order verifiers are asked where asking stops at the first FAIL: the strict and cheap ones first."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import PerturbationClass

SHARE_IN_TURN = 0.2
"""Share of the items, by their ids, whose first verifier follows from the id: each one's strictness stays measured."""
KNOWN_FROM = 10
"""First votes of each verifier before which all items are asked in turn."""
_PRIOR = 4.0
"""How many votes the rate over all classes counts for in the rate of one class."""


@dataclass
class Tally:
    """How often a verifier that was asked first failed a candidate, of how many."""

    fails: int = 0
    votes: int = 0

    def add(self, passed: bool) -> None:
        """Count a vote."""
        self.votes += 1
        self.fails += not passed


@dataclass
class Order:
    """What a run has learnt of its verifiers. Only votes that were cast first count: later ones see what others passed.

    The estimate for a class is the mean of a Beta posterior: the prior is worth four votes and has the mean over all
    classes, which itself starts from Beta(1, 1). Verifiers are asked by this probability of a FAIL, divided by their
    price per input token where all have one (our definition). The decision on an item does not depend on the order.
    """

    prices: dict[str, float] | None = None
    by_class: dict[tuple[str, PerturbationClass], Tally] = field(default_factory=lambda: defaultdict(Tally))
    overall: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def add(self, verifier: str, perturbation: PerturbationClass, passed: bool) -> None:
        """Count the first vote on a candidate."""
        self.by_class[verifier, perturbation].add(passed)
        self.overall[verifier].add(passed)

    def strictness(self, verifier: str, perturbation: PerturbationClass) -> float:
        """Return the probability that a verifier fails a candidate of a class, in (0, 1)."""
        whole, own = self.overall[verifier], self.by_class[verifier, perturbation]
        mean = (whole.fails + 1) / (whole.votes + 2)
        return (own.fails + _PRIOR * mean) / (own.votes + _PRIOR)

    def of(self, names: Sequence[str], slot: Slot) -> list[str]:
        """Return the verifiers in the order in which to ask them about a candidate for a slot."""
        place = int.from_bytes(rank(f"order|{slot.slot_id}|{slot.attempt}", 0)[:8], "big")
        known = all(self.overall[name].votes >= KNOWN_FROM for name in names)
        if not known or place / 2**64 < SHARE_IN_TURN:
            first = place % len(names)
            return [*names[first:], *names[:first]]
        prices = self.prices or {}
        priced = all(prices.get(name, 0.0) > 0 for name in names)
        gain = {name: self.strictness(name, slot.perturbation) / (prices[name] if priced else 1.0) for name in names}
        return sorted(names, key=lambda name: -gain[name])
