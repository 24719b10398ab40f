"""Headers and samples of logs, read so that a damaged or a swollen file costs a line and no memory."""

import zipfile
from pathlib import Path
from urllib.parse import unquote, urlparse

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_sample

from refusalbench_tasks.errors import DataError

LARGEST = 256 * 2**20
_RATIO = 200
"""A member over 256 MB that unpacks to 200 times its size is no log: JSON of real runs packs to a tenth or so."""


class UnreadableLog(DataError):
    """A log that can't be read as one of ours, whatever is wrong with it."""


def unreadable(name: str, error: Exception) -> UnreadableLog:
    """Return the error for a log that can't be read, in plain words."""
    if isinstance(error, UnreadableLog):
        return error
    told = " ".join(str(error).split())[:200]
    cut = isinstance(error, zipfile.BadZipFile) or "EOCD" in told
    if cut:
        return UnreadableLog(f"{name}: not a readable log of this suite (damaged, cut off or still being written)")
    return UnreadableLog(f"{name}: not a readable log of this suite ({type(error).__name__}: {told})")


def read_header(name: str) -> EvalLog:
    """Return the header of a log. Raises UnreadableLog if a member of the file would unpack to far more than it holds.

    Anything else that is wrong with a file raises what Inspect's reader raises.
    """
    check_members(name)
    return read_eval_log(name, header_only=True)


def read_sample(name: str, sample_id: str, epoch: int) -> EvalSample | None:
    """Return a whole sample of a log; None if it can't be read."""
    # one bad sample must not lose the others, and anything can be wrong with a file
    try:
        check_members(name)
        return read_eval_log_sample(name, sample_id, epoch)
    except Exception:
        return None


def check_members(name: str) -> None:
    """Raise UnreadableLog if a member of a local `.eval` file states a size that no log has."""
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        return
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return  # Inspect's reader says what is wrong
    for member in members:
        if member.file_size > max(LARGEST, _RATIO * member.compress_size):
            size = f"{member.file_size / 2**20:,.0f} MB from {member.compress_size / 2**20:,.1f} MB"
            raise UnreadableLog(f"{name}: its member {member.filename!r} unpacks to {size}; no run writes that")


def local_path(name: str) -> Path:
    """Return the path of a local log, given as a path or as a file URL."""
    return Path(unquote(urlparse(name).path) if name.startswith("file:") else name)
