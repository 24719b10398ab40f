"""One thing to be generated: a base question, a class, an intensity and a lever."""

import hashlib
import re

from inspect_ai.dataset import Sample
from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, expected_label


class Slot(BaseModel):
    """A planned item, and which attempt at it this is: what solvers and scorers read from `Sample.metadata`.

    `lever` is None where the writer chooses. `feedback` are the reasons for which earlier attempts were rejected.
    `planned` is the number of items in the whole plan, which no single score can know otherwise; None if unknown.
    """

    model_config = ConfigDict(frozen=True)

    base: RefusalItem
    perturbation: PerturbationClass
    intensity: Intensity
    lever: str | None = None
    attempt: int = 1
    feedback: tuple[str, ...] = ()
    planned: int | None = None

    @property
    def slot_id(self) -> str:
        """Return the id of the planned item, equal for all its attempts."""
        lever = re.sub(r"[^a-z0-9]+", "-", (self.lever or "any").lower()).strip("-")
        if not re.fullmatch(r"[A-Za-z0-9 -]*", self.lever or ""):
            lever = f"{lever}-{text_digest(self.lever or '')[:6]}"
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

    def again(self, feedback: tuple[str, ...]) -> "Slot":
        """Return the next attempt at this item."""
        return self.model_copy(update={"attempt": self.attempt + 1, "feedback": feedback})

    def to_sample(self) -> Sample:
        """Return the Inspect sample of this attempt."""
        return Sample(
            id=self.sample_id,
            input=f"{self.perturbation} {self.intensity} ({self.lever or 'any lever'}): {self.base.query}",
            target=self.expected.value,
            metadata=self.model_dump(mode="json"),
        )


def text_digest(*parts: str) -> str:
    """Return 16 hex digits that depend on the parts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
