"""Candidates without their texts: a few hundred bytes each, so that a million of them fit into memory."""

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, expected_label

Value = TypeVar("Value")


class Vote(NamedTuple):
    """A vote without its grounds."""

    verifier: str
    passed: bool | None
    failure: str | None


class Rank(NamedTuple):
    """Of a place among siblings what is counted."""

    pairs: int
    in_order: int


class NamedLever(NamedTuple):
    """A lever's name."""

    lever: str


class Planned(NamedTuple):
    """What many slots share."""

    writer: str
    perturbation: PerturbationClass
    intensity: Intensity
    lever: str
    attempt: int


class Outcome(NamedTuple):
    """What came of a candidate, which many share."""

    written: bool
    accepted: bool | None
    panel_share: float
    broken: tuple[str, ...]
    reason: str | None
    votes: tuple[Vote, ...]
    ranking: Rank | None
    skipped: tuple[NamedLever, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Brief:
    """One candidate as tables count it (`Counted`). Where its texts were kept says `run` and `at`, from 0."""

    plan: Planned
    outcome: Outcome
    slot_base: str
    """How the id of its slot begins, as those of many do: with the base question."""
    slot_rest: str
    """How it ends, as those of many do: with class, intensity and lever."""
    source_id: str
    used_lever: str
    order_digest: int
    run: int
    at: int

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to make it again: a tenth of the time that a dataclass takes by itself."""
        return Brief, (self.plan, self.outcome, self.slot_base, self.slot_rest, self.source_id, self.used_lever,
                       self.order_digest, self.run, self.at)  # fmt: skip

    @property
    def writer(self) -> str:
        """Return the model that wrote it."""
        return self.plan.writer

    @property
    def perturbation(self) -> PerturbationClass:
        """Return the class."""
        return self.plan.perturbation

    @property
    def intensity(self) -> Intensity:
        """Return the intensity."""
        return self.plan.intensity

    @property
    def expected(self) -> Label:
        """Return the behaviour that is right for the item."""
        return expected_label(self.plan.perturbation, self.plan.intensity)

    @property
    def lever(self) -> str:
        """Return the lever that was asked for, or else the one that was used."""
        return self.plan.lever

    @property
    def attempt(self) -> int:
        """Return which attempt at its slot this is, from 1."""
        return self.plan.attempt

    @property
    def slot_id(self) -> str:
        """Return the id of the planned item."""
        return self.slot_base + self.slot_rest

    @property
    def sample_id(self) -> str:
        """Return the id of this attempt."""
        return sample_id(self.slot_id, self.attempt)

    @property
    def written(self) -> bool:
        """Whether there is a text."""
        return self.outcome.written

    @property
    def accepted(self) -> bool | None:
        """Whether it was accepted; None if nothing was decided."""
        return self.outcome.accepted

    @property
    def panel_share(self) -> float:
        """Return the probability with which the whole panel was to vote."""
        return self.outcome.panel_share

    @property
    def broken(self) -> tuple[str, ...]:
        """Return the rules that rejected it."""
        return self.outcome.broken

    @property
    def reason(self) -> str | None:
        """Return why nothing was decided."""
        return self.outcome.reason

    @property
    def votes(self) -> tuple[Vote, ...]:
        """Return how the verifiers voted."""
        return self.outcome.votes

    @property
    def ranking(self) -> Rank | None:
        """Return its place among its siblings."""
        return self.outcome.ranking

    @property
    def skipped(self) -> tuple[NamedLever, ...]:
        """Return the levers that were not tried."""
        return self.outcome.skipped


def sample_id(slot_id: str, attempt: int) -> str:
    """Return the id of an attempt at a slot."""
    return slot_id if attempt == 1 else f"{slot_id}~{attempt}"


def _parted(slot_id: str) -> tuple[str, str]:
    """Return a slot's id in two parts, the second one with class, intensity and lever if it has them all."""
    parts = slot_id.rsplit("_", 3)
    at = len(parts[0]) if len(parts) == 4 else 0
    return slot_id[:at], slot_id[at:]


class Briefs:
    """Makes the briefs of one run; equal values are held once."""

    def __init__(self, run: int) -> None:
        self._run = run
        self._held: dict[object, object] = {}

    def of(self, item: Counted, at: int) -> Brief:
        """Return the brief of a candidate whose texts are kept at a place; -1 if they are not."""
        plan = Planned(item.writer, item.perturbation, item.intensity, self._once(item.lever), item.attempt)
        outcome = Outcome(
            item.written,
            item.accepted,
            item.panel_share,
            tuple(item.broken),
            item.reason,
            tuple(Vote(vote.verifier, vote.passed, vote.failure) for vote in item.votes),
            Rank(item.ranking.pairs, item.ranking.in_order) if item.ranking else None,
            tuple(NamedLever(one.lever) for one in item.skipped),
        )
        base, rest = _parted(item.slot_id)
        return Brief(
            self._once(plan), self._once(outcome), self._once(base), self._once(rest), self._once(item.source_id),
            self._once(item.used_lever), item.order_digest, self._run, at,
        )  # fmt: skip

    def _once(self, value: Value) -> Value:
        return self._held.setdefault((type(value), value), value)  # type: ignore[return-value]
