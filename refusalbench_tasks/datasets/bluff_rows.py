"""Rows of BLUFF-1000's layout: the released fields, and ours for data whose making is known."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from refusalbench_tasks.datasets.bluff_item import PUBLISHED, Arm, BluffItem, BluffSource
from refusalbench_tasks.datasets.factorial import LEVELS, ConflictAbout
from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.errors import RowError

SetName = Literal["clear", "ambiguous"]
Text = Annotated[str, Field(min_length=1)]
LAYOUT = "id, topic, question, gold_answer, source_sets: {clear: [{category, title, url, text}], ambiguous: [...]}"
OPTIONAL = {
    "ambiguity": "ambiguity: {open: true or false, kind: text}",
    "factors": "factors: {clear: {reliability, conflict, sufficiency}, ambiguous: {...}}",
    "conflict_about": "conflict_about: {clear: null, ambiguous: asked, other_thing, former_value or bounds}",
}


def _known_levels(factors: dict[str, str]) -> dict[str, str]:
    known = {str(name): levels for name, levels in LEVELS.items()}
    for name, level in factors.items():
        if name not in known:
            raise ValueError(f"unknown factor '{name}'; known: {', '.join(known)}")
        if level not in known[name]:
            raise ValueError(f"{name}: unknown level '{level}'; known: {', '.join(known[name])}")
    return factors


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
    ambiguity: Ambiguity | None = None
    ambiguity_type: Literal["conflict", "missing", "outdated", "vague", "unreliable"] | None = None
    """What makes the ambiguous set ambiguous, in words that all data share."""
    factors: dict[SetName, Annotated[dict[str, str], AfterValidator(_known_levels)]] = {}
    """The levels of each set's factors, as far as they are known."""
    conflict_about: dict[SetName, ConflictAbout | None] = {}
    """What the sources of each set disagree on; None where they don't, or where nobody has told."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kind = self.ambiguity.kind if self.ambiguity else ""
        if kind and self.ambiguity_type and kind != self.ambiguity_type:
            raise ValueError(f"ambiguity_type: '{self.ambiguity_type}', but ambiguity.kind is '{kind}'; keep one")
        return self

    def items(self, arms: Sequence[Arm], gold: Sequence[BluffSource] = ()) -> list[BluffItem]:
        """Return an item for each of the arms; none for a set without sources, of which only `none` is one."""
        both = self.source_sets
        sets: dict[Any, Sequence[BluffSource]] = {
            "clear": both.clear, "ambiguous": both.ambiguous, "none": (), "gold": gold
        }  # fmt: skip
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


def items_of(rows: Sequence[Row], arms: Sequence[Arm] = PUBLISHED) -> list[BluffItem]:
    """Return the items of the rows in these arms, those of a question side by side; a set without sources has no item.

    `none` has no sources, and `gold` the row's gold passage alone, or no item if the row has none. Raises DataError
    that names file, row and field for a malformed row, and for two rows with one id.
    """
    records = entries_by(_record, rows, lambda record: record.id)
    passages = {row.values.get("id"): _gold(row) for row in rows} if "gold" in arms else {}
    return [item for record in records for item in record.items(arms, passages.get(record.id, ()))]


def _gold(row: Row) -> list[BluffSource]:
    """Return the gold passage of a row as a source, or nothing. Raises RowError if it is none."""
    given = row.values.get("gold_passage")
    if given is None:
        return []
    try:
        return [BluffSource.model_validate({**given, "category": "reliable"})]
    except (ValidationError, TypeError):
        raise RowError(row.source, row.place, "gold_passage", "expected {title, url, date, text}") from None


def _record(row: Row) -> BluffRecord:
    try:
        record = BluffRecord.model_validate(dict(row.values))
    except ValidationError as error:
        first: Any = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part != "[key]")
        layout = OPTIONAL.get(str(first["loc"][0]), LAYOUT) if first["loc"] else LAYOUT
        problem = f"missing; a row has {layout}" if first["type"] == "missing" else str(first["msg"])
        raise RowError(row.source, row.place, field or "record", problem) from None
    if not (record.source_sets.clear or record.source_sets.ambiguous):
        raise RowError(row.source, row.place, "source_sets", "no sources, neither clear nor ambiguous ones")
    return record
