"""What tables count of a candidate: who wrote it, for which slot, and what came of it; none of its texts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog


class CountedVote(Protocol):
    """Of a vote: whose it is and what it says; `passed` None, with the failure, if it says nothing."""

    @property
    def verifier(self) -> str: ...  # noqa: D102
    @property
    def passed(self) -> bool | None: ...  # noqa: D102
    @property
    def failure(self) -> str | None: ...  # noqa: D102


class CountedRank(Protocol):
    """Of a place among siblings: with how many of a higher intensity it was ranked, how many of them above it."""

    @property
    def pairs(self) -> int: ...  # noqa: D102
    @property
    def in_order(self) -> int: ...  # noqa: D102


class CountedLever(Protocol):
    """A lever, by its name."""

    @property
    def lever(self) -> str: ...  # noqa: D102


class Counted(Protocol):
    """One candidate as tables count it: `Generated` with its texts, `Brief` without."""

    @property
    def writer(self) -> str: ...  # noqa: D102
    @property
    def slot_id(self) -> str:
        """Return the id of the planned item."""

    @property
    def sample_id(self) -> str:
        """Return the id of this attempt."""

    @property
    def attempt(self) -> int: ...  # noqa: D102
    @property
    def perturbation(self) -> PerturbationClass: ...  # noqa: D102
    @property
    def intensity(self) -> Intensity: ...  # noqa: D102
    @property
    def expected(self) -> Label: ...  # noqa: D102
    @property
    def source_id(self) -> str:
        """Return the base question."""

    @property
    def lever(self) -> str:
        """Return the lever that was asked for, or else the one that was used."""

    @property
    def used_lever(self) -> str:
        """Return the lever that the writer says it used; no text if it wrote nothing."""

    @property
    def written(self) -> bool:
        """Whether there is a text."""

    @property
    def order_digest(self) -> int:
        """Return a number that depends on question and passages; -1 without them."""

    @property
    def votes(self) -> Sequence[CountedVote]: ...  # noqa: D102
    @property
    def accepted(self) -> bool | None: ...  # noqa: D102
    @property
    def panel_share(self) -> float: ...  # noqa: D102
    @property
    def broken(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def reason(self) -> str | None: ...  # noqa: D102
    @property
    def ranking(self) -> CountedRank | None: ...  # noqa: D102
    @property
    def skipped(self) -> Sequence[CountedLever]: ...  # noqa: D102


class CountedRun(Protocol):
    """A generation run: its header, its candidates, and how many slots it took up."""

    @property
    def header(self) -> "EvalLog": ...  # noqa: D102
    @property
    def items(self) -> Sequence[Counted]: ...  # noqa: D102
    @property
    def slots(self) -> int: ...  # noqa: D102
