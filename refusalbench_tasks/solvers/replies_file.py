"""Files of replies: JSONL, JSON, CSV and Parquet, and logs of Inspect."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from inspect_ai.log import EvalSample, read_eval_log_samples

from refusalbench_tasks.bounded_reading import file_at
from refusalbench_tasks.datasets.reader import Reader
from refusalbench_tasks.datasets.rows import Row, entries_by, read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.log_reading import check_size, unreadable
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.recorded import Recorded, as_question, noted_no_reply, record
from refusalbench_tasks.solvers.recorded_reply import Reply, alternatives_in, confidence_in, stop_named, usage_in
from refusalbench_tasks.solvers.retrieved import STORED

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
MOST_EPOCHS = 1000
_SHOWN = 8
"""How many columns an error names."""
_MEASURED = "Confidence:"
"""How the names begin under which `bluff` keeps the confidence that it measured."""


def read_recorded(name: str) -> Recorded:
    """Return the replies of a file or a log. Raises DataError for what is neither, and for two replies to one row."""
    path = file_at(name, "replies", "give a JSONL, JSON, CSV or Parquet file, or an Inspect log (.eval)")
    replies = logged_replies(path) if path.suffix.lower() == ".eval" else read_replies(path)
    return record(replies, path.name)


def read_replies(name: str | Path) -> list[Reply]:
    """Return the replies of a file, in its order.

    Raises DataError that names file, row and field, and for a file in which no row has a reply.
    """
    rows = read_rows(name, "replies", "")
    if any("answer" in row.values for row in rows) and not any(
        {*FIELDS["reply"], "context"} & set(row.values) for row in rows
    ):
        # an answer beside a context is the gold one
        rows = [replace(row, values={**row.values, "reply": row.values.get("answer")}) for row in rows]
    replies = entries_by(reply_in, rows)
    if not any(column in row.values for row in rows for column in FIELDS["reply"]):
        raise DataError(f"{name}: no row has a reply; add a column 'reply' (or 'response') {_columns(rows[0])}")
    return replies


def reply_in(row: Row) -> Reply:
    """Return the reply of a row; a row without a text and a reason why it ended is none. Raises RowError."""
    reader = Reader(row, FIELDS)
    if not reader.has("id") and not reader.has("question"):
        add = "add a column 'id', or 'question' with the text of the question"
        raise reader.error("id", f"missing; {add} {_columns(row)}")
    for field, names in FIELDS.items():
        if len({str(row.values[name]) for name in names if row.values.get(name) is not None}) > 1:
            raise reader.error(field, f"'{names[1]}' says something else; drop one of the two")
    stop = _part(reader, "stop_reason", stop_named)
    return Reply(
        place=row.place,
        text=_text(reader, stop is not None),
        id=_name(reader) if reader.has("id") else "",
        question=as_question(reader.text("question")) if reader.has("question") else "",
        epoch=_epoch(reader),
        stop=stop or "unknown",
        confidence=_part(reader, "confidence", confidence_in),
        alternatives=_part(reader, "logprobs", lambda _: alternatives_in(reader.parsed("logprobs"))) or (),
        passages=reader.strings("passages") if reader.has("passages") else None,
        usage=_part(reader, "usage", lambda _: usage_in(reader.parsed("usage"))) or {},
        model=reader.word("model"),
    )


def logged_replies(path: Path) -> Iterator[Reply]:
    """Yield the reply of each sample and epoch of a log, whatever wrote it. Raises UnreadableLog.

    A sample that ended in an error before it had an output has no reply.
    """
    skipped = {"events", "messages"}
    try:
        check_size(str(path))
        for sample in read_eval_log_samples(
            path, all_samples_required=False, resolve_attachments="core", exclude_fields=skipped
        ):
            yield logged_reply(sample)
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(str(path), error) from None


def logged_reply(sample: EvalSample) -> Reply:
    """Return the reply of a logged sample."""
    output, store = sample.output, sample.store
    gone = not output.choices and (sample.error is not None or noted_no_reply(store))
    usage = output.usage
    counted = ("input_tokens", "output_tokens", "total_tokens")
    passages = store.get(STORED)
    measured = {key.removeprefix(_MEASURED): value for key, value in store.items() if key.startswith(_MEASURED)}
    return Reply(
        place=f"sample {sample.id}, epoch {sample.epoch}",
        text=None if gone else reply_of(output),
        id=str(sample.id),
        epoch=sample.epoch,
        stop=stop_of(output),
        passages=tuple(map(str, passages)) if isinstance(passages, list) else None,
        usage={} if usage is None else {name: getattr(usage, name) for name in counted},
        model=output.model,
        measured=measured or None,
    )


def _columns(row: Row) -> str:
    """Return the columns that a row has, for a message: a misspelt one is seen there."""
    names = [f"'{' '.join(str(name).split())[:40]}'" for name in row.values]
    return f"(there are: {', '.join(names[:_SHOWN])}{', …' if len(names) > _SHOWN else ''})"


def _text(reader: Reader, ended: bool) -> str | None:
    """Return the text of a reply, empty for one that ended without a text, None where there is no reply."""
    value = reader.value("reply")
    if value is None:
        return "" if ended else None
    if not isinstance(value, str):
        raise reader.error("reply", f"expected text, found {type(value).__name__}; put it in quotes")
    return value


def _name(reader: Reader) -> str:
    value = _whole(reader.value("id"))
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise reader.error("id", f"expected text, found '{value}'")
    return str(value)


def _epoch(reader: Reader) -> int:
    value = _whole(reader.value("epoch") if reader.has("epoch") else 1)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    # a column of dates, say, numbers no repetitions
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_EPOCHS:
        advice = "number repetitions from 1, or rename the column"
        raise reader.error("epoch", f"expected a whole number from 1 to {MOST_EPOCHS}, found '{value}'; {advice}")
    return value


def _whole(value: object) -> object:
    """Return 2 for 2.0, as tables write a column of whole numbers with gaps."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _part(reader: Reader, field: str, read: Callable[[Any], Part]) -> Part | None:
    """Return what a field says; None where a row has none."""
    if not reader.has(field):
        return None
    try:
        return read(reader.value(field))
    except DataError:
        raise
    except ValueError as error:
        raise reader.error(field, str(error)) from None
