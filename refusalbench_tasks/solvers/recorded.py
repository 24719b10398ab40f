"""Replies that exist already, found for the rows that they reply to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from inspect_ai.model import ModelOutput
from inspect_ai.solver import TaskState

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.recorded_reply import Reply

Key = tuple[str, int]
"""A row's id and the epoch."""
_SHOWN = 3
_MARK = "refusalbench:no_reply"


@dataclass(frozen=True)
class Recorded:
    """The replies of a file by what names their row, and epoch."""

    source: str
    by_id: Mapping[Key, Reply]
    by_question: Mapping[Key, Reply]

    def find(self, row_id: str, question: str, epoch: int) -> Reply | None:
        """Return the reply to a row, None if there is none; to be asked where the other rows are not known."""
        return self.by_id.get((row_id, epoch)) or self.by_question.get((as_question(question), epoch))


@dataclass(frozen=True)
class Matched:
    """The replies to the rows of a run, and the names of those that are to none of them."""

    replies: Mapping[Key, Reply]
    strangers: tuple[str, ...] = ()

    def warning(self, source: str) -> str:
        """Return the line that names replies to no row of the run; empty if there are none."""
        if not self.strangers:
            return ""
        shown = ", ".join(f"'{name}'" for name in self.strangers[:_SHOWN])
        rest = ", …" if len(self.strangers) > _SHOWN else ""
        return f"{source}: {len(self.strangers)} replies are to no row of this run and are not used: {shown}{rest}"


def record(replies: Iterable[Reply], source: str) -> Recorded:
    """Return the replies by id and by question. Raises DataError for two to one row in one epoch."""
    by_id: dict[Key, Reply] = {}
    by_question: dict[Key, Reply] = {}
    for reply in replies:
        first = (by_id if reply.id else by_question).setdefault((reply.name, reply.epoch), reply)
        if first is not reply:
            raise _twice(source, first, reply)
    return Recorded(source, by_id, by_question)


def match(recorded: Recorded, questions: Mapping[str, str]) -> Matched:
    """Return the replies by row, of rows that are given as id and question.

    Raises DataError for a question that several rows have, for a reply that names one row by its id and another by its
    question, for a row that has a reply by its id and one by its question, and if no reply is to any of the rows.
    """
    ids = defaultdict(list)
    for row_id, question in questions.items():
        ids[as_question(question)].append(row_id)
    found = {key: reply for key, reply in recorded.by_id.items() if key[0] in questions}
    strangers = dict.fromkeys(name for name, _ in recorded.by_id if name not in questions)
    for (row_id, _), reply in found.items():
        of_others = ids.get(reply.question, []) if reply.question else []
        if of_others and row_id not in of_others:
            raise DataError(
                f"{recorded.source}, {reply.place}: the id is that of row '{row_id}' and the question that of "
                f"'{of_others[0]}'; drop the one that is wrong"
            )
    for (question, epoch), reply in recorded.by_question.items():
        rows = ids.get(question, [])
        if len(rows) > 1:
            raise DataError(
                f"{recorded.source}, {reply.place}: {len(rows)} rows have the question '{question[:80]}' "
                f"({', '.join(rows[:_SHOWN])}, …); name the row by its 'id'"
            )
        if not rows:
            strangers[question] = None
        elif (first := found.setdefault((rows[0], epoch), reply)) is not reply:
            raise _twice(recorded.source, first, reply)
    if not found:
        given = ", ".join(f"'{name[:80]}'" for name in list(strangers)[:_SHOWN])
        wanted = ", ".join(f"'{row_id}'" for row_id in list(questions)[:_SHOWN])
        raise DataError(
            f"{recorded.source}: no reply is to a row of this run; it has replies to {given}, the rows are {wanted}, …"
        )
    return Matched(found, tuple(strangers))


def _twice(source: str, first: Reply, second: Reply) -> DataError:
    return DataError(
        f"{source}: '{second.name[:80]}' has two replies, at {first.place} and at {second.place}; "
        "drop one, or number them in a column 'epoch'"
    )


def as_question(text: str) -> str:
    """Return a question as questions are compared: whatever its line breaks and spaces."""
    return " ".join(text.split())


def mark_no_reply(state: TaskState, model: str) -> None:
    """Leave a sample without a reply, which makes it unscored for this reason and no other."""
    state.output = ModelOutput(model=model, choices=[])
    state.store.set(_MARK, True)


def has_no_reply(state: TaskState) -> bool:
    """Whether a sample has no reply because a file of replies has none."""
    return not state.output.choices and state.store.get(_MARK) is True


def noted_no_reply(store: Mapping[str, object]) -> bool:
    """Whether the stored values of a logged sample say that it has no reply."""
    return store.get(_MARK) is True
