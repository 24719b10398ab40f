"""Rows of BLUFF-1000 in their released layout."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from refusalbench_tasks.datasets.bluff_item import PUBLISHED, Arm, BluffItem, BluffSource
from refusalbench_tasks.datasets.bluff_record import CATEGORIES, LAYOUT, OPTIONAL, BluffRecord, SourceRecord
from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.errors import RowError


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


def _gold(row: Row) -> list[SourceRecord]:
    """Return the gold passage of a row as a source, or nothing. Raises RowError if it is none."""
    given = row.values.get("gold_passage")
    if given is None:
        return []
    try:
        return [SourceRecord.model_validate({**given, "category": "reliable"})]
    except (ValidationError, TypeError):
        raise RowError(row.source, row.place, "gold_passage", "expected {title, url, date, text}") from None


def _record(row: Row) -> BluffRecord:
    try:
        record = BluffRecord.model_validate(dict(row.values))
    except ValidationError as error:
        first: Any = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        layout = OPTIONAL.get(str(first["loc"][0]), LAYOUT) if first["loc"] else LAYOUT
        problem = f"missing; a row has {layout}" if first["type"] == "missing" else str(first["msg"])
        raise RowError(row.source, row.place, field or "record", problem) from None
    if not (record.source_sets.clear or record.source_sets.ambiguous):
        raise RowError(row.source, row.place, "source_sets", "no sources, neither clear nor ambiguous ones")
    return record


def _arms(record: BluffRecord, arms: Sequence[Arm], gold: list[SourceRecord]) -> list[BluffItem]:
    sets: dict[Arm, list[SourceRecord]] = {
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
            question_id=record.question_id,
            factors=getattr(record.factors, arm, {}),
            conflict_about=getattr(record.conflict_about, arm, None),
            **(_ambiguity(record) if arm == "ambiguous" else {}),
        )
        for arm, sources in sets.items()
        if arm in arms and (sources or arm == "none")
    ]


def _ambiguity(record: BluffRecord) -> dict[str, Any]:
    told, kind = record.ambiguity, record.ambiguity_type
    if told is None:
        return {"ambiguity_kind": kind}
    return {"ambiguity": "open" if told.open else "inferable", "ambiguity_kind": told.kind or kind}


def _source(source: SourceRecord) -> BluffSource:
    return BluffSource(
        category=CATEGORIES[source.category],
        title=source.title,
        url=source.url,
        date=source.date or "",
        text=source.text,
    )
