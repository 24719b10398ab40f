"""Rows of BLUFF-1000's layout: the released fields, and ours for data whose making is known."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from refusalbench_tasks.datasets.bluff_item import (
    LEVELS,
    PUBLISHED,
    Arm,
    BluffItem,
    BluffSource,
    Category,
    ConflictAbout,
    Factor,
)
from refusalbench_tasks.datasets.fields import validated
from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.errors import RowError

SetName = Literal["clear", "ambiguous"]
Text = Annotated[str, Field(min_length=1)]


def _known_levels(factors: dict[Factor, str]) -> dict[Factor, str]:
    for name, level in factors.items():
        if level not in LEVELS[name]:
            raise ValueError(f"{name}: unknown level '{level}'; known: {', '.join(LEVELS[name])}")
    return factors


class GoldSource(BluffSource):
    """The passage that an answer was written from."""

    category: Annotated[Category, BeforeValidator(lambda _: "reliable")] = "reliable"


class SourceSets(BaseModel):
    """The sets of a record."""

    clear: list[BluffSource] = []
    ambiguous: list[BluffSource] = []


class Ambiguity(BaseModel):
    """Whether ambiguous sources leave the answer open, and what makes them ambiguous."""

    open: bool
    kind: str = ""


class BluffRecord(BaseModel):
    """One question with its sets of sources."""

    id: Text
    question_id: str = ""
    """The question, where several records ask the same one; they are resampled together."""
    topic: Text
    question: Text
    gold_answer: Text
    source_sets: SourceSets
    gold_passage: Any = None
    """Read where it is asked for alone, by `GoldRecord`."""
    ambiguity: Ambiguity | None = None
    ambiguity_type: Literal["conflict", "missing", "outdated", "vague", "unreliable"] | None = None
    """What makes the ambiguous set ambiguous, in words that all data share."""
    factors: dict[SetName, Annotated[dict[Factor, str], AfterValidator(_known_levels)]] = {}
    """The levels of each set's factors, as far as they are known."""
    conflict_about: dict[SetName, ConflictAbout | None] = {}
    """What the sources of each set disagree on; None where they don't, or where nobody has told."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kind = self.ambiguity.kind if self.ambiguity else ""
        if kind and self.ambiguity_type and kind != self.ambiguity_type:
            raise ValueError(f"ambiguity_type: '{self.ambiguity_type}', but ambiguity.kind is '{kind}'; keep one")
        return self

    def items(self, arms: Sequence[Arm]) -> list[BluffItem]:
        """Return an item for each of the arms; none for a set without sources, of which only `none` is one."""
        sets: dict[Any, Sequence[BluffSource]] = {
            "clear": self.source_sets.clear,
            "ambiguous": self.source_sets.ambiguous,
            "none": (),
            "gold": [self.gold_passage] if self.gold_passage else (),
        }
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
                **(self._ambiguity() if arm == "ambiguous" else {}),
            )
            for arm, sources in sets.items()
            if arm in arms and (sources or arm == "none")
        ]

    def _ambiguity(self) -> dict[str, Any]:
        told, kind = self.ambiguity, self.ambiguity_type
        if told is None:
            return {"ambiguity_kind": kind}
        return {"ambiguity": "open" if told.open else "inferable", "ambiguity_kind": told.kind or kind}


class GoldRecord(BluffRecord):
    """A question of which the gold passage is shown."""

    gold_passage: GoldSource | None = None


def items_of(rows: Sequence[Row], arms: Sequence[Arm] = PUBLISHED) -> list[BluffItem]:
    """Return the items of the rows in these arms, those of a question side by side; a set without sources has no item.

    `none` has no sources, and `gold` the row's gold passage alone, or no item if the row has none. Raises DataError
    that names file, row and field for a malformed row, and for two rows with one id.
    """
    layout = GoldRecord if "gold" in arms else BluffRecord

    def record_of(row: Row) -> BluffRecord:
        record = validated(layout, row)
        if not (record.source_sets.clear or record.source_sets.ambiguous):
            raise RowError(row.source, row.place, "source_sets", "no sources, neither clear nor ambiguous ones")
        return record

    return [item for record in entries_by(record_of, rows, lambda record: record.id) for item in record.items(arms)]
