"""Files of replies: JSONL, JSON, CSV and Parquet."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from refusalbench_tasks.datasets.reader import Reader
from refusalbench_tasks.datasets.rows import Row, entries_by, read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.documents import json_value
from refusalbench_tasks.solvers.recorded_reply import (
    Reply,
    Stop,
    alternatives_in,
    confidence_in,
    stop_named,
    usage_in,
)

FIELDS: dict[str, tuple[str, ...]] = {
    "id": ("id", "sample_id"),
    "question": ("question", "query"),
    "reply": ("reply", "response"),
    "stop_reason": ("stop_reason", "finish_reason"),
    "confidence": ("confidence",),
    "logprobs": ("logprobs",),
    "passages": ("passages",),
    "usage": ("usage",),
    "epoch": ("epoch",),
    "model": ("model",),
}
"""The fields of a reply and the names that each may have."""
Part = TypeVar("Part")
_SHOWN = 8
"""How many columns an error names."""


def read_replies(name: str | Path) -> list[Reply]:
    """Return the replies of a file, in its order. Raises DataError that names file, row and field."""
    return replies_in(read_rows(name, "replies", ""), str(name))


def replies_in(rows: Sequence[Row], source: str) -> list[Reply]:
    """Return the reply of each row. Raises DataError for a bad row, and if no row has a reply at all."""
    replies = entries_by(reply_in, rows)
    if not any(name in row.values for row in rows for name in FIELDS["reply"]):
        raise DataError(f"{source}: no row has a reply; add a column 'reply' (or 'response') {_columns(rows[0])}")
    return replies


def reply_in(row: Row) -> Reply:
    """Return the reply of a row; a row without a text and a reason why it ended is none. Raises RowError."""
    reader = Reader(row, FIELDS)
    if not reader.has("id") and not reader.has("question"):
        raise reader.error(
            "id", f"missing; add a column 'id', or 'question' with the text of the question {_columns(row)}"
        )
    stop: Stop | None = _part(reader, "stop_reason", lambda value: stop_named(str(value)))
    return Reply(
        place=row.place,
        text=_text(reader, stop is not None),
        id=_name(reader) if reader.has("id") else "",
        question="" if reader.has("id") else " ".join(reader.text("question").split()),
        epoch=_epoch(reader),
        stop=stop or "unknown",
        confidence=_part(reader, "confidence", confidence_in),
        alternatives=_part(reader, "logprobs", lambda value: alternatives_in(_parsed(reader, "logprobs", value))) or (),
        passages=reader.strings("passages") if reader.has("passages") else None,
        usage=_part(reader, "usage", lambda value: usage_in(_parsed(reader, "usage", value))) or {},
        model=reader.word("model"),
    )


def _columns(row: Row) -> str:
    """Return the columns that a row has, for a message: a misspelt one is seen there."""
    names = [f"'{' '.join(str(name).split())[:40]}'" for name in row.values]
    return f"(there are: {', '.join(names[:_SHOWN])}{', …' if len(names) > _SHOWN else ''})"


def _text(reader: Reader, ended: bool) -> str | None:
    """Return the text of a reply, empty for one that ended without a text, None where there is no reply."""
    if not reader.has("reply"):
        return "" if ended else None
    value = reader.value("reply")
    if not isinstance(value, str):
        raise reader.error("reply", f"expected text, found {type(value).__name__}; put it in quotes")
    return value


def _name(reader: Reader) -> str:
    value = reader.value("id")
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # as tables write a column of whole numbers with gaps
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise reader.error("id", f"expected text, found '{value}'")
    return str(value)


def _epoch(reader: Reader) -> int:
    value = reader.value("epoch") if reader.has("epoch") else 1
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise reader.error("epoch", f"expected a whole number of at least 1, found '{value}'")
    return value


def _part(reader: Reader, field: str, read: Callable[[object], Part]) -> Part | None:
    """Return what a field says; None where a row has none."""
    if not reader.has(field):
        return None
    try:
        return read(reader.value(field))
    except DataError:
        raise
    except ValueError as error:
        raise reader.error(field, str(error)) from None


def _parsed(reader: Reader, field: str, value: object) -> object:
    """Return a value, read as JSON if it is the cell of a table."""
    return (
        json_value(value, reader.row.source, f"{reader.row.place}, field {field}") if isinstance(value, str) else value
    )
