"""The scored replies of one log of `nq` or `garage`, read through sample summaries."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from inspect_ai.log import list_eval_logs

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.logs.members import UnreadableLog, read_header, unreadable
from refusalbench_tasks.logs.run import HedgingRun, Key, RefusalRun, read_run
from refusalbench_tasks.outcome import Outcome, Protocol


@dataclass(frozen=True)
class Replies:
    """One log: what was evaluated on which data, who graded, and one outcome per sample id and epoch.

    Unperturbed controls stand apart in `controls`. `missing` counts samples without our score (errors).
    """

    name: str
    model: str
    task: str
    fingerprint: str
    protocol: Protocol
    graders: frozenset[str]
    outcomes: Mapping[Key, Outcome]
    missing: int
    prompt: str = ""
    judged: frozenset[Key] = frozenset()
    """The replies that a grader decided."""
    grades: Mapping[Key, float] = field(default_factory=dict)
    """Quality grades, where a grader gave one."""
    controls: Mapping[Key, Outcome] = field(default_factory=dict)
    """The outcomes of unperturbed controls."""


def read_replies(path: str) -> Replies:
    """Return the replies of a log file, or of the newest log in a folder, without loading whole samples.

    Raises DataError if there is no log, or the log is not a finished run of `nq` or `garage`.
    """
    run = newest_run(path)
    if run.kind == "hedging":
        raise DataError(f"{run.name}: a run of {run.task}; this needs one of nq or garage")
    return replies_of(cast(RefusalRun, run))


def read_compared(path: str) -> Replies | HedgingRun:
    """Return the log file, or the newest log of a folder, as comparisons need it: raises as `newest_run`."""
    run = newest_run(path)
    return cast(HedgingRun, run) if run.kind == "hedging" else replies_of(cast(RefusalRun, run))


def replies_or_reason(path: str) -> Replies | str:
    """Return what `read_replies` returns, or in one line why the log is damaged; other errors are raised."""
    try:
        return read_replies(path)
    except UnreadableLog as error:
        return str(error)


def compared_or_reason(path: str) -> Replies | HedgingRun | str:
    """Return what `read_compared` returns, or in one line why the log is damaged; other errors are raised."""
    try:
        return read_compared(path)
    except UnreadableLog as error:
        return str(error)


def newest_run(path: str) -> RefusalRun | HedgingRun:
    """Return the run of a log file, or of the newest log in a folder.

    Raises DataError if there is no log, or the log is not a finished run of `nq`, `garage` or `bluff`.
    """
    found = list_eval_logs(path, descending=True)
    if not found:
        raise DataError(f"{path}: no log there")
    name = found[0].name
    try:
        header = read_header(name)
        run = read_run(name, header)
    except Exception as error:
        raise unreadable(name, error) from None
    if header.status != "success" or run is None:
        raise DataError(f"{name}: not a finished run of nq, garage or bluff (status: {header.status})")
    return run


def replies_of(run: RefusalRun) -> Replies:
    """Return the replies of a run; unperturbed controls stand apart."""
    rows = {key: row for key, row in run.rows.items() if not row.is_control}
    grades = {key: row.numbers.get("grade", math.nan) for key, row in rows.items()}
    return Replies(
        name=run.name,
        model=run.model,
        task=run.task,
        fingerprint=run.fingerprint,
        protocol=run.protocol,
        graders=run.graders,
        outcomes={key: row.outcome for key, row in rows.items()},
        missing=len(run.lost),
        prompt=run.prompt,
        judged=frozenset(key for key, row in rows.items() if row.about.get("decided_by") == "judge"),
        controls={key: row.outcome for key, row in run.rows.items() if row.is_control},
        grades={key: grade for key, grade in grades.items() if not math.isnan(grade)},
    )


def distinct_graders(logs: Iterable[Replies | HedgingRun]) -> set[frozenset[str]]:
    """Return the different panels of graders among logs; a log that no model graded counts as its own."""
    return {log.graders for log in logs}
