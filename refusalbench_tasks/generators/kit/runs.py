"""The logs of one task that makes data: which of them count, and their samples, read in
one pass.
"""

import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

# Inspect's packing of members is known to Python's zipfile once this is imported
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from pydantic_core import from_json

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import (
    CONTINUED,
    LARGEST,
    each_once,
    local_path,
    read_header,
    unreadable,
)

Item = TypeVar("Item")
Sample = Mapping[str, Any]
"""A sample with the fields of Inspect's `EvalSample`, as plain values."""
LeftOut = tuple[str, str]
"""A log's name, and why it or a part of it is not used."""
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class LogHeaders:
    """The header of each log that files and folders hold, and the files that cannot be
    read.
    """

    logs: tuple[EvalLog, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class TaskRun(Generic[Item]):
    """A log: its header, what was read of its scored samples, and how many samples it
    holds, each id once.
    """

    header: EvalLog
    items: tuple[Item, ...]
    samples: int


@dataclass(frozen=True)
class TaskRuns(Generic[Item]):
    """The runs that files and folders hold, and what was left out, by log."""

    runs: tuple[TaskRun[Item], ...]
    left_out: tuple[LeftOut, ...]

    @property
    def items(self) -> list[Item]:
        """Return what was read of all runs."""
        return [item for run in self.runs for item in run.items]


def read_headers(paths: Iterable[str]) -> LogHeaders:
    """Return the headers of the logs in files and folders; a file that cannot be read
    is left out and named.
    """
    found: list[EvalLog] = []
    left_out: list[LeftOut] = []
    for name in sorted({info.name for path in paths for info in list_eval_logs(path)}):
        try:
            header = read_header(name)
        # anything can be wrong with a file, and one must not lose the others
        except Exception as error:
            left_out.append((name, _why(name, error)))
            continue
        header.eval.dataset.sample_ids = (
            None  # a name for each sample, of which nobody asks
        )
        found.append(header)
    return LogHeaders(tuple(found), tuple(left_out))


def choose_logs(logs: Iterable[str] | LogHeaders, tasks: Collection[str]) -> LogHeaders:
    """Return the one log that counts of each finished run of these tasks; logs of other
    tasks are passed over.

    The logs of one run share its task id: a run that was killed and continued has one
    of each attempt, and a run that was scored again has copies. The newest finished
    attempt counts, and of its copies the one that was scored last, whatever the files
    are called. Files that cannot be read and runs without a finished log are left out.
    """
    headers = logs if isinstance(logs, LogHeaders) else read_headers(logs)
    runs: dict[str, list[EvalLog]] = defaultdict(list)
    left_out = list(headers.left_out)
    for header in headers.logs:
        if header.eval.task.rpartition("/")[2] in tasks:
            runs[header.eval.task_id].append(header)
    chosen = []
    for own in runs.values():
        finished = [log for log in own if log.status == "success"]
        done = (
            "the run is not finished (status: {}); finish it with `inspect eval-retry`,"
            " or wait for it"
        )
        if finished:
            chosen.append(_newest(finished, left_out))
            done = CONTINUED
        left_out += [
            (log.location, done.format(log.status))
            for log in own
            if log.status != "success"
        ]
    return LogHeaders(
        tuple(sorted(chosen, key=lambda log: log.location)), tuple(left_out)
    )


def read_runs(
    logs: Iterable[str] | LogHeaders,
    task: str,
    read: Callable[[EvalLog, Sample], Item | None],
) -> TaskRuns[Item]:
    """Return the finished runs of a task in files and folders; what cannot be read is
    left out and named.

    `read` makes an item of a log's header and a sample, or None of a sample that ended
    in an error.
    """
    chosen = choose_logs(logs, (task,))
    runs: list[TaskRun[Item]] = []
    left_out = list(chosen.left_out)
    for header in chosen.logs:
        name = header.location
        try:
            run, unread = _read(header, read)
        # anything can be wrong with a file, and one must not lose the others
        except Exception as error:
            left_out.append((name, _why(name, error)))
            continue
        if unread:
            left_out.append(
                (name, f"{len(unread)} samples cannot be read, the first {unread[0]}")
            )
        if run.items or not unread:
            runs.append(run)
    return TaskRuns(tuple(runs), tuple(left_out))


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


def last_score(sample: Sample, scorer: str) -> Mapping[str, Any] | None:
    """Return a sample's newest score by a scorer; None for a sample that ended in an
    error.
    """
    scores = sample.get("scores") or {}
    named = [name for name in scores if name.rstrip("-0123456789") == scorer]
    found: Mapping[str, Any] | None = scores[named[-1]] if named else None
    return found


def _read(
    header: EvalLog, read: Callable[[EvalLog, Sample], Item | None]
) -> tuple[TaskRun[Item], list[str]]:
    items: list[Item] = []
    unread: list[str] = []
    ids = set()
    for sample in _samples(header.location):
        if isinstance(sample, str):
            unread.append(sample)
            continue
        ids.add(str(sample.get("id")))
        try:
            item = read(header, sample)
        except (LookupError, TypeError, ValueError) as error:
            unread.append(f"{sample.get('id')}: {_line(error)}")
            continue
        if item is not None:
            items.append(item)
    return TaskRun(header, tuple(items), len(ids)), unread


def _samples(name: str) -> Iterator[Sample | str]:
    """Yield every sample of a log, or why one cannot be read.

    A local `.eval` file is read member by member: the ids in its header are those that
    the run began with, and samples that a `SampleSource` added later are not among
    them; and one damaged sample must not lose the others. One that was written twice
    counts as it was written last. Raises what a damaged archive raises.
    """
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        fields = {"id", "epoch", "metadata", "scores", "events"}
        for logged in each_once(read_eval_log(name).samples or ()):
            yield logged.model_dump(mode="json", include=fields)
        return
    with zipfile.ZipFile(path) as archive:
        members = {
            one.filename: one
            for one in archive.infolist()
            if one.filename.startswith("samples/")
        }
        for member in members.values():
            try:
                if member.file_size > LARGEST:
                    raise ValueError(f"{member.file_size} bytes")
                found = from_json(archive.read(member))
                yield (
                    found
                    if isinstance(found, dict)
                    else f"{member.filename}: not a JSON object"
                )
            except (
                Exception
            ) as error:  # whatever is wrong with one member must not lose the others
                yield f"{member.filename}: {_line(error)}"


def _newest(finished: Sequence[EvalLog], left_out: list[LeftOut]) -> EvalLog:
    if len(finished) == 1:
        return finished[0]
    latest = max(_moment(log.eval.created) for log in finished)
    copies = [log for log in finished if _moment(log.eval.created) == latest]
    times = {log.location: _scored_at(log.location) for log in copies}
    best = max(copies, key=lambda log: times[log.location])
    counts = f"{best.location.rpartition('/')[2]} counts"
    for log in finished:
        if log is not best:
            when = times.get(log.location)
            why = (
                "was scored later"
                if when is None or when < times[best.location]
                else "holds the same scoring"
            )
            left_out.append(
                (log.location, f"another log of this run; {counts}, which {why}")
            )
    return best


def _scored_at(name: str) -> datetime:
    """Return when the first scored sample of a log was last scored; the earliest moment
    there is if nothing says so.

    A copy that `inspect score` writes shares ids, creation and status with its
    original: only the samples tell.
    """
    with suppress(Exception):
        for sample in _samples(name):
            events = () if isinstance(sample, str) else sample.get("events") or ()
            moments = [
                _moment(str(event["timestamp"]))
                for event in events
                if event.get("event") == "score"
            ]
            if moments:
                return max(moments)
    return _NEVER


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _NEVER
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _why(name: str, error: Exception) -> str:
    return str(unreadable(name, error)).removeprefix(f"{name}: ")


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
