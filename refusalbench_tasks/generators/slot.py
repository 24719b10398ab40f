"""One thing to be generated: a base question, a class, an intensity and a lever."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from inspect_ai.dataset import Sample
from pydantic import BaseModel

from refusalbench_tasks.datasets.item import RefusalItem, remembered
from refusalbench_tasks.taxonomy import (
    PERTURBED,
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)

from .kit.calls import text_digest
from .kit.maker import MakerSlot

Texts = tuple[str, ...]


class Rejected(BaseModel, frozen=True):
    """The question and the passages of a candidate that was rejected: what the next
    attempt is to repair.
    """

    query: str
    passages: Texts


class Sibling(BaseModel, frozen=True):
    """Another item of the same base question and class: its intensity and its planned
    lever.
    """

    intensity: Intensity
    lever: str


class ItemSlot(MakerSlot):
    """A planned item, and which attempt at it this is: what solvers and scorers read
    from `Sample.metadata`.

    `alternatives` are the other levers of its class and intensity that can be applied
    to the base, in the order in which to try them, for a writer that declines the
    planned one. `planned_lever` is the one of the plan where the writer declined it and
    `lever` is an alternative. `feedback` are all reasons for which earlier attempts
    were rejected, `last` is the last of these attempts. `siblings` are written in one
    call with this item; empty if it is written alone, as every further attempt and
    every alternative lever is.
    """

    base: RefusalItem
    perturbation: PerturbationClass
    intensity: Intensity
    lever: str
    attempt: int = 1
    feedback: Texts = ()
    alternatives: Texts = ()
    planned_lever: str | None = None
    last: Rejected | None = None
    siblings: tuple[Sibling, ...] = ()

    @property
    def slot_id(self) -> str:
        """Return the id of the planned item, equal for all its attempts and whichever
        lever was used in the end.
        """
        lever = _short(self.planned_lever or self.lever)
        return f"{self.base.item_id}_{self.perturbation}_{self.intensity}_{lever}"

    @property
    def sample_id(self) -> str:
        """Return the id of this attempt."""
        return self.slot_id if self.attempt == 1 else f"{self.slot_id}~{self.attempt}"

    @property
    def expected(self) -> Label:
        """Return the behaviour that is right for the item."""
        return expected_label(self.perturbation, self.intensity)

    @property
    def multi(self) -> bool:
        """Whether the base has several passages."""
        return len(self.base.passages) > 1

    @property
    def family(self) -> "list[ItemSlot]":
        """Return the slot and its siblings, by intensity.

        Siblings have no alternatives: only the text is shared.
        """
        levers = {sibling.intensity: sibling.lever for sibling in self.siblings}
        family = []
        for level in PERTURBED:
            if level is self.intensity:
                family.append(self)
            elif level in levers:
                changed = {
                    "intensity": level,
                    "lever": levers[level],
                }
                bare = changed | {
                    "alternatives": (),
                    "siblings": (),
                }
                family.append(self.model_copy(update=bare))
        return family

    def again(
        self,
        feedback: Texts,
        last: Rejected | None = None,
    ) -> "ItemSlot":
        """Return the next attempt at this item, with all reasons so far and the text
        that they are about.
        """
        reasons = dict.fromkeys((*self.feedback, *feedback))
        changed = {
            "attempt": self.attempt + 1,
            "feedback": tuple(reasons),
            "last": last,
            "siblings": (),
        }
        return self.model_copy(update=changed)

    def with_next_lever(self) -> "ItemSlot | None":
        """Return this attempt with the next alternative as its lever; None if there is
        none left.
        """
        if not self.alternatives:
            return None
        first, *others = self.alternatives
        planned = self.planned_lever or self.lever
        changed = {
            "lever": first,
            "alternatives": tuple(others),
            "planned_lever": planned,
            "siblings": (),
        }
        return self.model_copy(update=changed)

    def to_sample(self, settings: Mapping[str, object] | None = None) -> Sample:
        """Return the Inspect sample of this attempt, which remembers the settings of
        its run.

        All attempts share an id: each is an epoch of its own.
        """
        return Sample(
            id=self.slot_id,
            input=(
                f"{self.perturbation} {self.intensity} ({self.lever}):"
                f" {self.base.query}"
            ),
            target=self.expected.value,
            metadata=self.model_dump(mode="json") | remembered(settings),
        )


Slots = Sequence[ItemSlot]


@lru_cache(maxsize=1024)
def _short(lever: str) -> str:
    """Return a lever's name as it stands in ids."""
    short = re.sub(r"[^a-z0-9]+", "-", lever.lower()).strip("-")
    if re.fullmatch(r"[A-Za-z0-9 -]*", lever):
        return short
    return f"{short}-{text_digest(lever)[:6]}"
