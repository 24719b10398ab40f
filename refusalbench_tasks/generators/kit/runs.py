"""The logs of one task that makes data: which of them count, and their samples, read in
one pass.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from inspect_ai.event import ScoreEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Score

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import (
    LeftOut,
    LogHeaders,
    file_name,
    read_headers,
    read_samples,
    reason_for,
    scores_of,
    task_of,
    without_superseded,
)
from refusalbench_tasks.replies.outside_text import one_line

Item = TypeVar("Item")


@dataclass(frozen=True)
class TaskRun(Generic[Item]):
    """A log: its header, what was read of its scored samples, and how many samples it
    holds, each id once.
    """

    header: EvalLog
    items: Sequence[Item]
    samples: int


@dataclass(frozen=True)
class TaskRuns(Generic[Item]):
    """The runs that files and folders hold, and what was left out, by log."""

    runs: Sequence[TaskRun[Item]]
    left_out: Sequence[LeftOut]

    @property
    def items(self) -> list[Item]:
        """Return what was read of all runs."""
        return [item for run in self.runs for item in run.items]


def choose_logs(logs: Iterable[str] | LogHeaders, tasks: Collection[str]) -> LogHeaders:
    """Return the one log that counts of each finished run of these tasks; logs of other
    tasks are passed over.

    The logs of one run share its task id: a run that was killed and continued has one
    of each attempt, and a run that was scored again has copies. The newest finished
    attempt counts, and of its copies the one that was scored last, whatever the files
    are called. Files that cannot be read and runs without a finished log are left out.
    """
    headers = logs if isinstance(logs, LogHeaders) else read_headers(logs)
    of_tasks = [log for log in headers.logs if task_of(log) in tasks]
    current = without_superseded(LogHeaders(of_tasks, headers.left_out))
    left_out = list(current.left_out)
    finished = defaultdict(list)
    for log in current.logs:
        if log.status == "success":
            finished[log.eval.task_id].append(log)
            continue
        problem = f"the run is not finished (status: {log.status})"
        way_out = "finish it with `inspect eval-retry`, or wait for it"
        if log.error:
            problem = f"the run ended in an error ({one_line(log.error.message)[:200]})"
            way_out = "mend its cause and finish it with `inspect eval-retry`"
        left_out.append((log.location, f"{problem}; {way_out}"))
    chosen = []
    for copies in finished.values():
        newest = _newest(copies)
        chosen.append(newest)
        name = file_name(newest.location)
        why = f"another log of this run; {name} counts, which is the newest"
        left_out += ((log.location, why) for log in copies if log is not newest)
    chosen.sort(key=lambda log: log.location)
    return LogHeaders(chosen, left_out)


def read_task_runs(
    logs: Iterable[str] | LogHeaders,
    task: str,
    read: Callable[[EvalLog, EvalSample], Item | None],
) -> TaskRuns[Item]:
    """Return the finished runs of a task in files and folders; what cannot be read is
    left out and named.

    `read` makes an item of a log's header and a sample, or None of a sample that ended
    in an error.
    """
    chosen = choose_logs(logs, (task,))
    runs = []
    left_out = list(chosen.left_out)
    for header in chosen.logs:
        name = header.location
        # a name for each sample, of which nobody asks
        header.eval.dataset.sample_ids = None
        try:
            run, unread = _read(header, read)
        # anything can be wrong with a file, and one must not lose the others
        except Exception as error:
            left_out.append((name, reason_for(name, error)))
            continue
        if unread:
            left_out.append(
                (name, f"{len(unread)} samples cannot be read, the first {unread[0]}")
            )
        if run.items or not unread:
            runs.append(run)
    return TaskRuns(runs, left_out)


def no_runs(left_out: Sequence[LeftOut], task: str) -> DataError:
    """Return the error that says why there is no run of a task."""
    if not left_out:
        return DataError(
            f"no logs of `{task}` there; they are made by `inspect eval"
            f" refusalbench_tasks/{task}`"
        )
    (name, reason), *others = left_out
    more = f" (and {len(others)} more)" if others else ""
    return DataError(f"no log of `{task}` can be used: {name}: {reason}{more}")


def newest_score(scores: Mapping[str, Score] | None, scorer: str) -> Score | None:
    """Return the newest of a sample's scores by a scorer; None for a sample that ended
    in an error.
    """
    names = scores_of(scores or {}, (scorer,))
    return scores[names[-1]] if scores and names else None


def _read(
    header: EvalLog, read: Callable[[EvalLog, EvalSample], Item | None]
) -> tuple[TaskRun[Item], list[str]]:
    items = []
    unread = []
    ids = set()
    for sample in read_samples(header.location):
        if isinstance(sample, str):
            unread.append(sample)
            continue
        ids.add(str(sample.id))
        try:
            item = read(header, sample)
        except (LookupError, TypeError, ValueError) as error:
            problem = one_line(f"{type(error).__name__}: {error}")[:200]
            unread.append(f"{sample.id}: {problem}")
            continue
        if item is not None:
            items.append(item)
    return TaskRun(
        header,
        items,
        len(ids),
    ), unread


def _newest(copies: Sequence[EvalLog]) -> EvalLog:
    if len(copies) == 1:
        return copies[0]
    return max(copies, key=lambda log: (log.eval.created, _scored_at(log.location)))


def _scored_at(name: str) -> float:
    """Return when the first scored sample of a log was last scored, as seconds; 0 if
    nothing says so.

    A copy that `inspect score` writes shares ids, creation and status with its
    original: only the samples tell.
    """
    with suppress(Exception):
        for sample in read_samples(name):
            events = () if isinstance(sample, str) else sample.events
            scorings = [event for event in events if isinstance(event, ScoreEvent)]
            if scorings:
                return max(event.timestamp.timestamp() for event in scorings)
    return 0.0
