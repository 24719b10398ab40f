"""Headers of log files, read so that a damaged or a swollen file costs a line."""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urlparse

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalSampleSummary

AnySample = TypeVar("AnySample", bound="EvalSample | EvalSampleSummary")
CONTINUED = "a later log continues this run"
"""Why an attempt of a run that was killed and continued is left out."""
LARGEST = 256 * 2**20
_RATIO = 200
"""A member over 256 MB that unpacks to 200 times its size is no log: JSON of real runs
packs to a tenth or so.
"""


class UnreadableLog(DataError):
    """A log that can't be read, whatever is wrong with it."""


def unreadable(name: str, error: Exception) -> UnreadableLog:
    """Return the error for a log that can't be read, in plain words."""
    if isinstance(error, UnreadableLog):
        return error
    text = one_line(error)[:200]
    if isinstance(error, zipfile.BadZipFile) or "EOCD" in text:
        return UnreadableLog(
            f"{name}: not a readable log of this suite (damaged, cut off or still being"
            " written)"
        )
    return UnreadableLog(
        f"{name}: not a readable log of this suite ({type(error).__name__}: {text})"
    )


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
                size = (
                    f"{member.file_size / 2**20:,.0f} MB from"
                    f" {member.compress_size / 2**20:,.1f} MB"
                )
                raise UnreadableLog(
                    f"{name}: its member {member.filename!r} unpacks to {size}; no run"
                    " writes that"
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


def each_once(samples: Iterable[AnySample]) -> Iterator[AnySample]:
    """Yield the samples of a log, of those with one id and epoch the first.

    A log in JSON may list a sample twice; counted twice it would narrow every
    confidence interval.
    """
    seen: set[tuple[str, int]] = set()
    for sample in samples:
        key = (str(sample.id), sample.epoch)
        if key not in seen:
            seen.add(key)
            yield sample
