"""Rows of BLUFF-1000 in their released layout."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from refusalbench_tasks.datasets.bluff_item import PUBLISHED, Arm, BluffItem, BluffSource, Category
from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.rows import entries_by
from refusalbench_tasks.errors import RowError

CATEGORIES: dict[str, Category] = {
    "reliable": "reliable",
    "unreliable": "unreliable",
    "distraction": "distraction",
    "unknown": "unknown",
    "unknown(marked as unreliable)": "unknown",
}
"""The categories of the released layout, older records included, and what they are here."""

LAYOUT = "id, topic, question, gold_answer, source_sets: {clear: [{category, title, url, text}], ambiguous: [...]}"
OPTIONAL = "ambiguity: {open: true or false, kind: text}"


class _Source(BaseModel):
    model_config = ConfigDict(extra="ignore")

    category: str
    title: str = ""
    url: str = ""
    date: str | None = None
    text: str = Field(min_length=1)

    @field_validator("category")
    @classmethod
    def _known(cls, category: str) -> str:
        if category.strip().lower() not in CATEGORIES:
            raise ValueError(f"unknown category '{category}'; known: {', '.join(CATEGORIES)}")
        return category.strip().lower()


class _Sets(BaseModel):
    clear: list[_Source] = []
    ambiguous: list[_Source] = []


class _Ambiguity(BaseModel):
    model_config = ConfigDict(extra="ignore")

    open: bool
    kind: str = ""


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str = Field(min_length=1)
    topic: str = Field(min_length=1)
    question: str = Field(min_length=1)
    gold_answer: str = Field(min_length=1)
    source_sets: _Sets
    ambiguity: _Ambiguity | None = None


def items_of(rows: Sequence[Row], arms: Sequence[Arm] = PUBLISHED) -> list[BluffItem]:
    """Return the items of the rows in these arms, those of a question side by side; a set without sources has no item.

    `none` has no sources, and `gold` the row's gold passage alone, or no item if the row has none. Raises DataError
    that names file, row and field for a malformed row, and for two rows with one id.
    """
    records = entries_by(_record, rows, lambda record: record.id)
    if "gold" not in arms:
        return [item for record in records for item in _arms(record, arms, [])]
    passages = {row.values.get("id"): _gold(row) for row in rows}
    return [item for record in records for item in _arms(record, arms, passages[record.id])]


def _gold(row: Row) -> list[_Source]:
    """Return the gold passage of a row as a source, or nothing. Raises RowError if it is none."""
    given = row.values.get("gold_passage")
    if given is None:
        return []
    try:
        return [_Source.model_validate({**given, "category": "reliable"})]
    except (ValidationError, TypeError):
        raise RowError(row.source, row.place, "gold_passage", "expected {title, url, date, text}") from None


def _record(row: Row) -> _Record:
    try:
        record = _Record.model_validate(dict(row.values))
    except ValidationError as error:
        first: Any = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        layout = OPTIONAL if first["loc"][0] == "ambiguity" else LAYOUT
        problem = f"missing; a row has {layout}" if first["type"] == "missing" else str(first["msg"])
        raise RowError(row.source, row.place, field, problem) from None
    if not (record.source_sets.clear or record.source_sets.ambiguous):
        raise RowError(row.source, row.place, "source_sets", "no sources, neither clear nor ambiguous ones")
    return record


def _arms(record: _Record, arms: Sequence[Arm], gold: list[_Source]) -> list[BluffItem]:
    sets: dict[Arm, list[_Source]] = {
        "clear": record.source_sets.clear,
        "ambiguous": record.source_sets.ambiguous,
        "none": [],
        "gold": gold,
    }
    return [
        BluffItem(
            item_id=f"{record.id}/{arm}",
            source_id=record.id,
            topic=record.topic,
            arm=arm,
            query=record.question,
            answer=record.gold_answer,
            sources=tuple(_source(source) for source in sources),
            **(_ambiguity(record.ambiguity) if arm == "ambiguous" else {}),
        )
        for arm, sources in sets.items()
        if arm in arms and (sources or arm == "none")
    ]


def _ambiguity(ambiguity: _Ambiguity | None) -> dict[str, Any]:
    if ambiguity is None:
        return {}
    return {"ambiguity": "open" if ambiguity.open else "inferable", "ambiguity_kind": ambiguity.kind or None}


def _source(source: _Source) -> BluffSource:
    return BluffSource(
        category=CATEGORIES[source.category],
        title=source.title,
        url=source.url,
        date=source.date or "",
        text=source.text,
    )
