"""Replies that exist already, read from a file or a log and found for the rows that
they reply to.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from inspect_ai.log import EvalSample, read_eval_log_samples
from inspect_ai.solver import TaskState
from inspect_ai.util import Store

from refusalbench_tasks.bounded_reading import file_at
from refusalbench_tasks.datasets.fields import column_names, fault, validated
from refusalbench_tasks.datasets.rows import Row, entries_by
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.log_reading import check_size, each_once, unreadable
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.mapped_replies import Given, mapped_rows
from refusalbench_tasks.solvers.ptrue import Confidence
from refusalbench_tasks.solvers.recorded_reply import RecordedReply, as_question
from refusalbench_tasks.solvers.retrieved import STORED
from refusalbench_tasks.solvers.sample_limit import STOPPED

Key = tuple[str, int]
"""What names a row (its id or its question), and the epoch."""
Replies = Mapping[Key, RecordedReply]
NO_REPLY = "refusalbench:no_reply"
"""The key in the store of a sample that has no reply because a file of replies has
none.
"""
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recorded:
    """The replies of a file by what names their row, and epoch."""

    source: str
    replies: Replies

    def find(
        self,
        row_id: str,
        question: str,
        epoch: int,
    ) -> RecordedReply | None:
        """Return the reply to a row, None if there is none; to be asked where the other
        rows are not known.
        """
        return self.replies.get((row_id, epoch)) or self.replies.get(
            (as_question(question), epoch)
        )

    def match(self, questions: Mapping[str, str]) -> Replies:
        """Return the replies by row id and epoch, of rows that are given as id and
        question; warn of replies to none.

        Raises DataError for a question that several rows have, for a reply that names
        one row by its id and another by its question, for a row with two replies in one
        epoch, and if no reply is to any of the rows.
        """
        ids = defaultdict(list)
        for row_id, question in questions.items():
            ids[as_question(question)].append(row_id)
        by_row: dict[Key, RecordedReply] = {}
        strangers: dict[str, None] = {}
        source = self.source
        for reply in self.replies.values():
            asked = ids.get(reply.question, []) if reply.question else []
            rows = asked
            if reply.id:
                rows = [reply.id] if reply.id in questions else []
            if problem := _problem(reply, rows, asked):
                raise DataError(f"{source}, {reply.place}: {problem}")
            for row_id in rows:
                _keep(
                    by_row,
                    (row_id, reply.epoch),
                    reply,
                    source,
                )
            if not rows:
                strangers[reply.name] = None
        shown = _listed(strangers)
        if not by_row:
            there = f"it has replies to {shown}, the rows are {_listed(questions)}"
            raise DataError(f"{source}: no reply is to a row of this run; {there}")
        if strangers:
            logger.warning(
                f"{source}: {len(strangers)} replies are to no row of this run and"
                f" are not used: {shown}"
            )
        return by_row


def _problem(reply: RecordedReply, rows: list[str], asked: list[str]) -> str:
    """Return what is wrong with a reply to several rows, or whose id is not that of a
    row with its question.
    """
    if len(rows) > 1:
        asking = f"{len(rows)} rows have the question '{reply.question[:80]}'"
        return f"{asking} ({_listed(rows)}); name the row by its 'id'"
    if rows and asked and rows[0] not in asked:
        return (
            f"the id is that of row '{rows[0]}' and the question that of"
            f" '{asked[0]}'; drop the wrong one"
        )
    return ""


def _listed(names: Iterable[str]) -> str:
    shown = [f"'{name[:80]}'" for name in names]
    return ", ".join(shown[:3] + (["…"] if len(shown) > 3 else []))


def record(replies: Iterable[RecordedReply], source: str) -> Recorded:
    """Return the replies by what names their row.

    Raises DataError for two to one row in one epoch.
    """
    by_row: dict[Key, RecordedReply] = {}
    for reply in replies:
        _keep(
            by_row,
            (reply.name, reply.epoch),
            reply,
            source,
        )
    return Recorded(source, by_row)


def _keep(
    by_row: dict[Key, RecordedReply],
    key: Key,
    reply: RecordedReply,
    source: str,
) -> None:
    first = by_row.setdefault(key, reply)
    if first is not reply:
        places = f"at {first.place} and at {reply.place}"
        raise DataError(
            f"{source}: '{reply.name[:80]}' has two replies, {places}; drop one, or"
            " number them in a column 'epoch'"
        )


def read_recorded(name: str, mapping: Given) -> Recorded:
    """Return the replies of a file, by a mapping if one is given, or of a log.

    Raises DataError for what is neither, and for two replies to one row.
    """
    path = file_at(
        name,
        "replies",
        "give a JSONL, JSON, CSV or Parquet file, or an Inspect log (.eval)",
    )
    replies: Iterable[RecordedReply]
    if path.suffix.lower() == ".eval":
        replies = logged_replies(path)
    else:
        replies = read_replies(path, mapping)
    return record(replies, path.name)


def read_replies(name: str | Path, mapping: Given = None) -> list[RecordedReply]:
    """Return the replies of a file, in its order; `mapping` is for `mapped_rows`.

    Raises DataError that names file, row and field, and for a file in which no row has
    a reply.
    """
    rows = mapped_rows(name, mapping)
    there = {column for row in rows for column in row.values}
    if there.isdisjoint(column_names(RecordedReply, "text")):
        raise DataError(
            f"{name}: no row has a reply; add a column 'reply' (or 'response')"
            f" {_columns(rows[0])}"
        )
    return entries_by(reply_in, rows)


def reply_in(row: Row) -> RecordedReply:
    """Return the reply of a row; one without a text but with a reason why it ended is
    empty.

    Raises RowError.
    """
    stated = {name: value for name, value in row.values.items() if value is not None}
    for ours in ("place", "measured", "limited"):
        stated.pop(ours, None)
    names_a_row = {
        *column_names(RecordedReply, "id"),
        *column_names(RecordedReply, "question"),
    }
    if names_a_row.isdisjoint(stated):
        add = "add a column 'id', or 'question' with the text of the question"
        raise fault(
            RecordedReply,
            row,
            "id",
            f"missing; {add} {_columns(row)}",
        )
    for field in RecordedReply.model_fields:
        names = column_names(RecordedReply, field)
        if len({str(stated[name]) for name in names if name in stated}) > 1:
            problem = f"'{names[1]}' says something else; drop one of the two"
            raise fault(
                RecordedReply,
                row,
                field,
                problem,
            )
    read = validated(RecordedReply, replace(row, values=stated))
    if read.text is None and "stop" in read.model_fields_set:
        read = read.model_copy(update={"text": ""})
    return read.model_copy(update={"place": row.place})


def _columns(row: Row) -> str:
    """Return the columns that a row has, for a message: a misspelt
    one is seen there.
    """
    names = [repr(str(name)[:40]) for name in list(row.values)[:8]]
    return f"(there are: {', '.join(names)})"


def logged_replies(path: Path) -> Iterator[RecordedReply]:
    """Yield the reply of each sample and epoch of a log, whatever wrote it.

    Raises UnreadableLog.
    """
    try:
        check_size(str(path))
        samples = read_eval_log_samples(
            path,
            False,
            "core",
            exclude_fields={"events", "messages"},
        )
        for sample in each_once(samples):
            yield logged_reply(sample)
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(str(path), error) from None


def logged_reply(sample: EvalSample) -> RecordedReply:
    """Return the reply of a logged sample; one that ended in an error before it had an
    output has none.
    """
    output = sample.output
    store = sample.store
    gone = sample.error is not None or store.get(NO_REPLY) is True
    measured = {}
    for key, value in store.items():
        if key.startswith(f"{Confidence.__name__}:"):
            measured[key] = value
    Confidence(store=Store(measured))  # raises for what no run has stored
    limited = store.get(STOPPED) is True
    if sample.limit is not None and sample.limit.type != "operator":
        # a person who stops a sample is no limit
        limited = True
    return RecordedReply.model_construct(
        id=str(sample.id),
        epoch=sample.epoch,
        text=None if gone and not output.choices else reply_of(output),
        stop=stop_of(output),
        limited=limited,
        passages=store.get(STORED),
        usage=output.usage,
        model=output.model,
        place=f"sample {sample.id}, epoch {sample.epoch}",
        measured=measured,
    )


def has_no_reply(state: TaskState) -> bool:
    """Whether a sample has no reply because a file of replies has none."""
    return not state.output.choices and state.store.get(NO_REPLY) is True
