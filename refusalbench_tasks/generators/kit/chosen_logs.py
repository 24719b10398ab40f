"""Which log files count, of the runs that files and folders hold."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from inspect_ai.log import EvalLog, list_eval_logs

from refusalbench_tasks.generators.kit.log_samples import Unreadable, read_samples
from refusalbench_tasks.log_reading import read_header, unreadable

LeftOut = tuple[str, str]
"""A log's name, and why it or a part of it is not used."""


@dataclass(frozen=True)
class Headers:
    """The header of each log that files and folders hold, by name, and the files that cannot be read."""

    logs: tuple[EvalLog, ...]
    left_out: tuple[LeftOut, ...]


Logs = Iterable[str] | Headers
"""Files and folders, or what `read_headers` read of them: whoever asks more than once reads once."""


@dataclass(frozen=True)
class Chosen:
    """The headers of the logs that count, and what was left out."""

    headers: tuple[EvalLog, ...]
    left_out: tuple[LeftOut, ...]


def read_headers(paths: Iterable[str]) -> Headers:
    """Return the headers of the logs in files and folders; a file that cannot be read is left out and named."""
    found: list[EvalLog] = []
    left_out: list[LeftOut] = []
    for name in sorted({info.name for path in paths for info in list_eval_logs(path)}):
        try:
            header = read_header(name)
        except Exception as error:  # anything can be wrong with a file, and one must not lose the others
            left_out.append((name, unusable(name, error)))
            continue
        # a header that is kept would hold a name for each sample
        header.eval.dataset.sample_ids = None
        found.append(header)
    return Headers(tuple(found), tuple(left_out))


def choose_logs(logs: Logs, tasks: Collection[str]) -> Chosen:
    """Return the one log that counts of each finished run of these tasks; logs of other tasks are passed over.

    The logs of one run share its task id: a run that was killed and continued has one of each attempt, and a run that
    was scored again has copies. The newest finished attempt counts, and of its copies the one that was scored last,
    whatever the files are called. Files that cannot be read and runs without a finished log are left out.
    """
    headers = logs if isinstance(logs, Headers) else read_headers(logs)
    runs: dict[str, list[EvalLog]] = defaultdict(list)
    left_out = list(headers.left_out)
    for header in headers.logs:
        if header.eval.task.rpartition("/")[2] in tasks:
            runs[header.eval.task_id].append(header)
    chosen = []
    for own in runs.values():
        finished = [log for log in own if log.status == "success"]
        if finished:
            chosen.append(_newest(finished, left_out))
            done = "a later log continues this run"
        else:
            done = "the run is not finished (status: {}); finish it with `inspect eval-retry`, or wait for it"
        left_out += [(log.location, done.format(log.status)) for log in own if log.status != "success"]
    return Chosen(tuple(sorted(chosen, key=lambda log: log.location)), tuple(left_out))


def unusable(name: str, error: Exception) -> str:
    """Return why a log cannot be read, on one line."""
    return str(unreadable(name, error)).removeprefix(f"{name}: ")


def _newest(finished: Sequence[EvalLog], left_out: list[LeftOut]) -> EvalLog:
    if len(finished) == 1:
        return finished[0]
    latest = max(_moment(log.eval.created) for log in finished)
    copies = [log for log in finished if _moment(log.eval.created) == latest]
    times = {log.location: scored_at(log.location) for log in copies}
    best = max(copies, key=lambda log: times[log.location])
    counts = f"{best.location.rpartition('/')[2]} counts"
    for log in finished:
        if log is best:
            continue
        when = times.get(log.location)
        why = "was scored later" if when is None or when < times[best.location] else "holds the same scoring"
        left_out.append((log.location, f"another log of this run; {counts}, which {why}"))
    return best


def scored_at(name: str) -> datetime:
    """Return when the first scored sample of a log was last scored; the earliest moment there is if nothing says so.

    A copy that `inspect score` writes shares ids, creation and status with its original: only the samples tell.
    """
    with suppress(Exception):
        for sample in read_samples(name):
            events = () if isinstance(sample, Unreadable) else sample.get("events") or ()
            moments = [_moment(str(event["timestamp"])) for event in events if event.get("event") == "score"]
            if moments:
                return max(moments)
    return datetime.min.replace(tzinfo=UTC)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
