"""The typed item of BLUFF-1000: one question with one of its two sets of sources."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from refusalbench_tasks.datasets.item import SETTINGS, input_text

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample

Arm = Literal["clear", "ambiguous", "none", "gold"]
PUBLISHED: tuple[Arm, ...] = ("clear", "ambiguous")
"""The two arms of the paper. Beyond them: no sources, and the passage that the answer was written from."""
Ambiguity = Literal["open", "inferable"]
Category = Literal["reliable", "unreliable", "distraction", "unknown"]
COMPOSITION: dict[Arm, dict[Category, int]] = {
    "clear": {"reliable": 4, "unreliable": 1},
    "ambiguous": {"reliable": 1, "unreliable": 2, "distraction": 2},
    "none": {},
    "gold": {"reliable": 1},
}
"""How many sources of each category a set should have (paper §3; `none` and `gold` are ours)."""

RELIABILITY: dict[Category, float] = {"reliable": 1.0, "unreliable": 0.0}
"""What a source of a category weighs in the quality of a set, any other 0.5 (released evaluator)."""

Factor = Literal["reliability", "conflict", "sufficiency"]
FACTORS: tuple[Factor, ...] = get_args(Factor)
LEVELS: dict[Factor, tuple[str, str]] = {
    "reliability": ("reliable", "doubtful"),
    "conflict": ("none", "conflict"),
    "sufficiency": ("sufficient", "insufficient"),
}
"""The levels of each factor; the second is the one that gives cause for doubt."""
Stance = Literal["states", "contradicts", "silent", "outdated", "vague"]
"""How a source stands to the gold answer: `vague` gives bounds between which it lies, `outdated` a value that held."""
ConflictAbout = Literal["asked", "other_thing", "former_value", "bounds"]
"""What sources disagree on: the value that is asked for; that of another thing, the value that held, bounds."""


def _category(stated: object) -> object:
    word = stated.strip().lower() if isinstance(stated, str) else stated
    # as older records have it
    return "unknown" if word == "unknown(marked as unreliable)" else word


class BluffSource(BaseModel):
    """One source as a model sees it, and its category, which the model does not see.

    What else a row tells of it (how it was composed, `timestamp`, the time of assembly) is not read.
    """

    model_config = ConfigDict(frozen=True)

    category: Annotated[Category, BeforeValidator(_category)]
    title: str = ""
    url: str = ""
    date: Annotated[str, BeforeValidator(lambda date: "" if date is None else date)] = ""
    """The day of publication."""
    text: str = Field(min_length=1)

    @property
    def host(self) -> str:
        """Return the host of the address in small letters, without `www.`; blank if it has none that can be read."""
        try:
            return (urlsplit(self.url).hostname or "").removeprefix("www.")
        except ValueError:
            return ""


class BluffItem(BaseModel):
    """One question with one set of sources: what solvers and scorers read from `Sample.metadata`."""

    model_config = ConfigDict(frozen=True)

    item_id: str
    source_id: str
    """The question; its two arms share it, are paired by it, and are clustered by it."""
    topic: str
    arm: Arm
    query: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    sources: tuple[BluffSource, ...]
    ambiguity: Ambiguity | None = None
    """Whether ambiguous sources leave the answer open or let it be inferred; None where the data do not say."""
    ambiguity_kind: str | None = None
    """What makes them ambiguous, in the words of the data; None where the data do not say."""
    question_id: str = ""
    """The question, where several rows ask the same one; it is what is resampled then."""
    factors: dict[str, str] = {}
    """The levels of reliability, conflict and sufficiency of the sources; empty where the data do not say."""
    conflict_about: str | None = None
    """What the sources disagree on: `asked`, `other_thing`, `former_value` or `bounds`; None without a conflict."""

    @model_validator(mode="after")
    def _has_sources(self) -> Self:
        if bool(self.sources) == (self.arm == "none"):
            raise ValueError(f"sources: the arm '{self.arm}' has {'none' if self.sources else 'some'}")
        return self

    @property
    def question(self) -> str:
        """Return what the item is drawn and resampled with: its question, or its row where that is all there is."""
        return self.question_id or self.source_id

    @property
    def quality(self) -> float | None:
        """Return the mean reliability of the sources; None without any (the paper states no weights)."""
        weights = [RELIABILITY.get(source.category, 0.5) for source in self.sources]
        return sum(weights) / len(weights) if weights else None

    @property
    def as_intended(self) -> bool:
        """Whether the sources have the composition that the paper intends for the arm, or that of a design."""
        return bool(self.factors) or Counter(source.category for source in self.sources) == Counter(
            COMPOSITION[self.arm]
        )

    def to_sample(self, settings: Mapping[str, object] | None = None) -> "Sample":
        """Return the Inspect sample: question and sources as input, the gold answer as target, the item as metadata.

        `settings` of the scorers are remembered there, for a log that is scored again; `cluster` is the question.
        """
        # worlds and formulas need not wait until Inspect is loaded
        from inspect_ai.dataset import Sample

        remembered = {SETTINGS: dict(settings)} if settings else {}
        metadata = self.model_dump(mode="json") | {"cluster": self.question} | remembered
        shown = input_text(self.query, [source.text for source in self.sources])
        return Sample(id=self.item_id, input=shown, target=self.answer, metadata=metadata)
