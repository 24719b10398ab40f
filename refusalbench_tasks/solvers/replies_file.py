"""Files of replies: JSONL, JSON, CSV and Parquet, and logs of Inspect."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from inspect_ai.log import EvalSample, read_eval_log_samples
from pydantic import BeforeValidator

from refusalbench_tasks.bounded_reading import file_at
from refusalbench_tasks.datasets.fields import (
    RowModel,
    Text,
    Word,
    columns,
    fault,
    json_in,
    named,
    strings_in,
    validated,
)
from refusalbench_tasks.datasets.rows import Row, entries_by, read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.log_reading import check_size, unreadable
from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.recorded import Recorded, as_question, noted_no_reply, record
from refusalbench_tasks.solvers.recorded_reply import (
    Alternatives,
    Reply,
    Stop,
    alternatives_in,
    confidence_in,
    stop_named,
    usage_in,
)
from refusalbench_tasks.solvers.retrieved import STORED

MOST_EPOCHS = 1000
_SHOWN = 8
"""How many columns an error names."""
_MEASURED = "Confidence:"
"""How the names begin under which `bluff` keeps the confidence that it measured."""


def _id(value: object) -> str:
    value = _whole(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise ValueError(f"expected text, found '{value}'")
    return str(value)


def _reply(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected text, found {type(value).__name__}; put it in quotes")
    return value


def _epoch(value: object) -> int:
    value = _whole(value)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    # a column of dates, say, numbers no repetitions
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_EPOCHS:
        advice = "number repetitions from 1, or rename the column"
        raise ValueError(f"expected a whole number from 1 to {MOST_EPOCHS}, found '{value}'; {advice}")
    return value


def _whole(value: object) -> object:
    """Return 2 for 2.0, as tables write a column of whole numbers with gaps."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ReplyRow(RowModel):
    """A row of a file of replies."""

    id: Annotated[str, BeforeValidator(_id)] = named("id", "sample_id", default="")
    question: Text = named("question", "query", default="")
    reply: Annotated[str | None, BeforeValidator(_reply)] = named("reply", "response", default=None)
    stop: Annotated[Stop | None, BeforeValidator(stop_named)] = named("stop_reason", "finish_reason", default=None)
    confidence: Annotated[float | Level | None, BeforeValidator(confidence_in)] = None
    logprobs: Annotated[Alternatives, BeforeValidator(lambda value: alternatives_in(json_in(value)))] = ()
    passages: Annotated[tuple[str, ...] | None, BeforeValidator(strings_in)] = None
    usage: Annotated[dict[str, int], BeforeValidator(lambda value: usage_in(json_in(value)))] = named(
        "usage", default={}
    )
    epoch: Annotated[int, BeforeValidator(_epoch)] = 1
    model: Word = ""


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
        {*columns(ReplyRow, "reply"), "context"} & set(row.values) for row in rows
    ):
        # an answer beside a context is the gold one
        rows = [replace(row, values={**row.values, "reply": row.values.get("answer")}) for row in rows]
    replies = entries_by(reply_in, rows)
    if not any(column in row.values for row in rows for column in columns(ReplyRow, "reply")):
        raise DataError(f"{name}: no row has a reply; add a column 'reply' (or 'response') {_columns(rows[0])}")
    return replies


def reply_in(row: Row) -> Reply:
    """Return the reply of a row; a row without a text and a reason why it ended is none. Raises RowError."""
    stated = {name for name, value in row.values.items() if value is not None}
    if not stated & {*columns(ReplyRow, "id"), *columns(ReplyRow, "question")}:
        add = "add a column 'id', or 'question' with the text of the question"
        raise fault(ReplyRow, row, "id", f"missing; {add} {_columns(row)}")
    for field in ReplyRow.model_fields:
        names = columns(ReplyRow, field)
        if len({str(row.values[name]) for name in names if name in stated}) > 1:
            raise fault(ReplyRow, row, field, f"'{names[1]}' says something else; drop one of the two")
    read = validated(ReplyRow, row)
    return Reply(
        place=row.place,
        text="" if read.reply is None and read.stop else read.reply,
        id=read.id,
        question=as_question(read.question) if read.question else "",
        epoch=read.epoch,
        stop=read.stop or "unknown",
        confidence=read.confidence,
        alternatives=read.logprobs,
        passages=read.passages,
        usage=read.usage,
        model=read.model,
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
