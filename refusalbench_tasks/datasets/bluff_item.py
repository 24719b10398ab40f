"""Questions of BLUFF-1000: the record of a data file, and the typed item, which is a
question with a set of sources.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    model_validator,
)

from .fields import validated
from .item import input_text, remembered
from .rows import Row, entries_by

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample

Arm = Literal["clear", "ambiguous", "none", "gold"]
PUBLISHED: tuple[Arm, ...] = ("clear", "ambiguous")
"""The two arms of the paper.

Beyond them: no sources, and the passage that the answer was written from.
"""
SetName = Literal["clear", "ambiguous"]
Category = Literal["reliable", "unreliable", "distraction", "unknown"]
COMPOSITION: dict[Arm, Counter[str]] = {
    "clear": Counter(reliable=4, unreliable=1),
    "ambiguous": Counter(reliable=1, unreliable=2, distraction=2),
    "none": Counter(),
    "gold": Counter(reliable=1),
}
"""How many sources of each category a set should have (paper §3; `none` and `gold` are
ours).
"""
RELIABILITY: dict[Category, float] = {"reliable": 1.0, "unreliable": 0.0}
"""What a source of a category weighs in the quality of a set, any other 0.5 (released
evaluator).
"""

Factor = Literal["reliability", "conflict", "sufficiency"]
FACTORS: tuple[Factor, ...] = get_args(Factor)
LEVELS: dict[Factor, tuple[str, str]] = {
    "reliability": ("reliable", "doubtful"),
    "conflict": ("none", "conflict"),
    "sufficiency": ("sufficient", "insufficient"),
}
"""The levels of each factor; the second is the one that gives cause for doubt."""
Stance = Literal["states", "contradicts", "silent", "outdated", "vague"]
"""How a source stands to the gold answer: `vague` gives bounds between which it lies,
`outdated` a value that held.
"""
ConflictAbout = Literal["asked", "other_thing", "former_value", "bounds"]
"""What sources disagree on: the value that is asked for; that of another thing, the
value that held, bounds.
"""
Text = Annotated[str, Field(min_length=1)]


def _category(stated: object) -> object:
    if not isinstance(stated, str):
        return stated
    word = stated.strip().lower()
    # as older records have it
    return "unknown" if word == "unknown(marked as unreliable)" else word


class BluffSource(BaseModel, frozen=True):
    """One source as a model sees it, and its category, which the model does not see."""

    category: Annotated[Category, BeforeValidator(_category)]
    title: str = ""
    url: str = ""
    date: Annotated[
        str, BeforeValidator(lambda value: "" if value is None else value)
    ] = ""
    """The day of publication."""
    text: Text

    @property
    def host(self) -> str:
        """Return the host of the address in small letters, without `www.`; blank if it
        has none that can be read.
        """
        try:
            return (urlsplit(self.url).hostname or "").removeprefix("www.")
        except ValueError:
            return ""


class GoldSource(BluffSource):
    """The passage that an answer was written from."""

    category: Annotated[Category, BeforeValidator(lambda _: "reliable")] = "reliable"


class BluffItem(BaseModel, frozen=True):
    """One question with one set of sources: what solvers and scorers read from
    `Sample.metadata`.
    """

    item_id: str
    source_id: str
    """The question; its two arms share it, are paired by it, and are clustered by it.
    """
    topic: str
    arm: Arm
    query: Text
    answer: Text
    sources: tuple[BluffSource, ...]
    ambiguity: Literal["open", "inferable"] | None = None
    """Whether ambiguous sources leave the answer open or let it be inferred; None if
    unknown, as the next ones.
    """
    ambiguity_kind: str | None = None
    question_id: str = ""
    """The question, where several rows ask the same one; it is what is resampled then.
    """
    factors: dict[str, str] = {}
    """The levels of reliability, conflict and sufficiency of the sources; empty where
    the data do not say.
    """
    conflict_about: str | None = None
    """What the sources disagree on, a `ConflictAbout`; None without a conflict."""

    @property
    def question(self) -> str:
        """Return what the item is drawn and resampled with: its question, or its row
        where that is all there is.
        """
        return self.question_id or self.source_id

    @property
    def quality(self) -> float | None:
        """Return the mean reliability of the sources; None without any (the paper
        states no weights).
        """
        weights = [RELIABILITY.get(source.category, 0.5) for source in self.sources]
        return sum(weights) / len(weights) if weights else None

    @property
    def as_intended(self) -> bool:
        """Whether the sources have the composition that the paper intends for the arm,
        or that of a design.
        """
        categories = Counter(source.category for source in self.sources)
        return bool(self.factors) or categories == COMPOSITION[self.arm]

    def to_sample(
        self,
        settings: Mapping[str, object] | None = None,
    ) -> "Sample":
        """Return the Inspect sample; `settings` of the scorers are in its metadata, for
        a log that is scored again.
        """
        # worlds and formulas need not wait until Inspect is loaded
        from inspect_ai.dataset import Sample

        metadata = self.model_dump(mode="json") | {"cluster": self.question}
        shown = input_text(self.query, [source.text for source in self.sources])
        return Sample(
            id=self.item_id,
            input=shown,
            target=self.answer,
            metadata=metadata | remembered(settings),
        )


def _known_levels(factors: dict[Factor, str]) -> dict[Factor, str]:
    for name, level in factors.items():
        if level not in LEVELS[name]:
            raise ValueError(
                f"{name}: unknown level '{level}'; known: {', '.join(LEVELS[name])}"
            )
    return factors


class SourceSets(BaseModel):
    """The sets of a record."""

    clear: list[BluffSource] = []
    ambiguous: list[BluffSource] = []

    @model_validator(mode="after")
    def _has_some(self) -> Self:
        if not (self.clear or self.ambiguous):
            raise ValueError("no sources, neither clear nor ambiguous ones")
        return self


class Ambiguity(BaseModel):
    """Whether ambiguous sources leave the answer open, and what
    makes them ambiguous.
    """

    open: bool
    kind: str = ""


class BluffRecord(BaseModel):
    """One question with its sets of sources: the released fields, and ours
    (docs/bluff-data.md#fields).
    """

    id: Text
    question_id: str = ""
    topic: Text
    question: Text
    gold_answer: Text
    source_sets: SourceSets
    gold_passage: GoldSource | None = None
    ambiguity: Ambiguity | None = None
    ambiguity_type: (
        Literal["conflict", "missing", "outdated", "vague", "unreliable"] | None
    ) = None
    factors: dict[
        SetName, Annotated[dict[Factor, str], AfterValidator(_known_levels)]
    ] = {}
    conflict_about: dict[SetName, ConflictAbout | None] = {}

    def items(self, arms: Sequence[Arm]) -> list[BluffItem]:
        """Return an item for each of the arms; none for a set without sources, of which
        only `none` is one.
        """
        gold = [self.gold_passage] if self.gold_passage else []
        sets: dict[Any, Sequence[BluffSource]] = {
            "clear": self.source_sets.clear,
            "ambiguous": self.source_sets.ambiguous,
            "none": (),
            "gold": gold,
        }
        kind: str | None = self.ambiguity_type
        left = None
        if self.ambiguity:
            kind = self.ambiguity.kind or kind
            left = "open" if self.ambiguity.open else "inferable"
        ambiguity: dict[str, Any] = {"ambiguity": left, "ambiguity_kind": kind}
        return [
            BluffItem(
                item_id=f"{self.id}/{arm}",
                source_id=self.id,
                topic=self.topic,
                arm=arm,
                query=self.question,
                answer=self.gold_answer,
                sources=tuple(sources),
                question_id=self.question_id,
                factors=self.factors.get(arm, {}),
                conflict_about=self.conflict_about.get(arm),
                **(ambiguity if arm == "ambiguous" else {}),
            )
            for arm, sources in sets.items()
            if arm in arms and (sources or arm == "none")
        ]


def items_of(
    rows: Sequence[Row],
    arms: Sequence[Arm] = PUBLISHED,
) -> list[BluffItem]:
    """Return the items of the rows in these arms, those of a question side by side;
    errors as in `entries_by`.

    A set without sources has no item, and a row without a gold passage none for `gold`;
    no other arm reads one.
    """

    def record_of(row: Row) -> BluffRecord:
        unread = {} if "gold" in arms else {"gold_passage": None}
        return validated(BluffRecord, replace(row, values={**row.values, **unread}))

    return [
        item
        for record in entries_by(record_of, rows, lambda record: record.id)
        for item in record.items(arms)
    ]
