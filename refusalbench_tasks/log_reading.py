"""Logs in files and folders: which of them count, and their headers and samples, read
so that a damaged or a swollen file costs a line.
"""

import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urlparse

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalSampleSummary

AnySample = TypeVar("AnySample", bound="EvalSample | EvalSampleSummary")
LeftOut = tuple[str, str]
"""A log's name, and why it or a part of it is not used."""
CONTINUED = "a later log continues this run"
"""Why an attempt of a run that was killed and continued is left out."""
LARGEST = 256 * 2**20
_RATIO = 200
"""A member over 256 MB that unpacks to 200 times its size is no log: JSON of real runs
packs to a tenth or so.
"""
_AT_ONCE = 100
"""Samples that are read together: few enough for memory, and enough that the file's
list of members is seldom read anew.
"""


@dataclass(frozen=True)
class LogHeaders:
    """Headers of logs by the logs' names, and which logs are left out, with reasons."""

    logs: Sequence["EvalLog"]
    left_out: Sequence[LeftOut]


class UnreadableLog(DataError):
    """A log that can't be read, whatever is wrong with it."""


def unreadable(name: str, error: Exception) -> UnreadableLog:
    """Return the error for a log that can't be read, in plain words."""
    if isinstance(error, UnreadableLog):
        return error
    text = one_line(error)[:200]
    reason = f"{type(error).__name__}: {text}"
    if isinstance(error, zipfile.BadZipFile) or "EOCD" in text:
        reason = "damaged, cut off or still being written"
    return UnreadableLog(f"{name}: not a readable log of this suite ({reason})")


def local_path(name: str) -> Path:
    """Return the path of a local log, given as a path or as a file URL."""
    return Path(unquote(urlparse(name).path) if name.startswith("file:") else name)


def check_size(name: str) -> None:
    """Raise UnreadableLog if a member of a local `.eval` file would unpack to what no
    run writes.
    """
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        return
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.file_size > max(LARGEST, _RATIO * member.compress_size):
                unpacked = member.file_size / 2**20
                packed = member.compress_size / 2**20
                raise UnreadableLog(
                    f"{name}: its member {member.filename!r} unpacks to"
                    f" {unpacked:,.0f} MB from {packed:,.1f} MB; no run writes that"
                )


def read_header(name: str) -> "EvalLog":
    """Return the header of a log.

    Raises UnreadableLog, whatever is wrong with the file.
    """
    from inspect_ai.log import read_eval_log

    try:
        check_size(name)
        return read_eval_log(name, header_only=True)
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(name, error) from None


def log_names(paths: Iterable[str]) -> list[str]:
    """Return the logs in files and folders by name, without the shards of a merged log,
    which stands for them.

    Raises DataError for a path that does not exist.
    """
    from inspect_ai.log import list_eval_logs

    names = set()
    for path in paths:
        if "://" not in path and not Path(path).exists():
            raise DataError(f"{path}: no such file or folder")
        names |= {info.name for info in list_eval_logs(path)}
    return [name for name in sorted(names) if merged_name(name) not in names]


def merged_name(name: str) -> str | None:
    """Return the merged log that a shard's log belongs to by its place
    (`NAME.shards/K/`); None for one elsewhere.
    """
    folder = name.rpartition("/")[0].rpartition("/")[0]
    if not folder.endswith(".shards"):
        return None
    return f"{folder.removesuffix('.shards')}.eval"


def read_headers(paths: Iterable[str]) -> LogHeaders:
    """Return the headers of the logs in files and folders; a file that cannot be read
    is left out and named.

    Errors as in `log_names`.
    """
    logs = []
    left_out = []
    for name in log_names(paths):
        try:
            header = read_header(name)
        except UnreadableLog as error:
            left_out.append((name, reason_for(name, error)))
            continue
        header.location = name
        logs.append(header)
    return LogHeaders(logs, left_out)


def without_superseded(headers: LogHeaders) -> LogHeaders:
    """Return the headers without the unfinished logs of task runs that have a finished,
    or a later unfinished, one.
    """

    def rank(log: "EvalLog") -> tuple[bool, str, str]:
        return log.status == "success", log.eval.created, log.location

    last = {log.eval.task_id: log for log in sorted(headers.logs, key=rank)}
    logs = []
    superseded = []
    for log in headers.logs:
        if log.status == "success" or log is last[log.eval.task_id]:
            logs.append(log)
        else:
            superseded.append((log.location, CONTINUED))
    return LogHeaders(tuple(logs), (*headers.left_out, *sorted(superseded)))


def reason_for(name: str, error: Exception) -> str:
    """Return why a log cannot be read, without its name."""
    return str(unreadable(name, error)).removeprefix(f"{name}: ")


def task_of(header: "EvalLog") -> str:
    """Return the name of a log's task, without its package."""
    return one_line(header.eval.task.rpartition("/")[2])


def file_name(log: str) -> str:
    """Return the name of a log's file, given as a path or a URL."""
    return log.rstrip("/").rpartition("/")[2]


def scores_of(names: Iterable[str], scorers: Collection[str]) -> list[str]:
    """Return the names that are those of some scorers, the newest last.

    `inspect score --action append` numbers what it adds: `refusal_scores1` is newer
    than `refusal_scores`.
    """
    return [name for name in names if name.rstrip("-0123456789") in scorers]


def read_samples(name: str) -> "Iterator[EvalSample | str]":
    """Yield every sample of a log once, or the sample's name and why it cannot be read.

    The ids in a log's header are those that the run began with, and samples that a
    `SampleSource` added later are not among them: the summaries name them all. Raises
    what a damaged archive raises.
    """
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    if not name.endswith(".eval"):
        yield from each_once(read_eval_log(name).samples or ())
        return
    summaries = read_eval_log_sample_summaries(name)
    keys = [(summary.id, summary.epoch) for summary in summaries]
    for start in range(
        0,
        len(keys),
        _AT_ONCE,
    ):
        yield from _read_some(name, keys[start : start + _AT_ONCE])


def _read_some(
    name: str, keys: Sequence[tuple[int | str, int]]
) -> "Iterable[EvalSample | str]":
    from inspect_ai.log import read_eval_log_samples_by_id

    try:
        return read_eval_log_samples_by_id(name, keys)
    # whatever is wrong with one sample must not lose the others
    except Exception as error:
        if len(keys) > 1:
            return [sample for key in keys for sample in _read_some(name, [key])]
        ((sample_id, epoch),) = keys
        problem = one_line(f"{type(error).__name__}: {error}")[:200]
        return [f"samples/{sample_id}, epoch {epoch}: {problem}"]


def each_once(samples: Iterable[AnySample]) -> Iterator[AnySample]:
    """Yield the samples of a log, of those with one id and epoch the first.

    A log in JSON may list a sample twice; counted twice it would narrow every
    confidence interval.
    """
    seen = set()
    for sample in samples:
        key = (str(sample.id), sample.epoch)
        if key not in seen:
            seen.add(key)
            yield sample
