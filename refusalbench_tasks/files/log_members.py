"""Headers and samples of logs, read so that a damaged or a swollen file costs a line and no memory."""

import zipfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.archive import Member, entries, newest_members, part_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

HEADER = b"header.json"
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


def read_header(name: str) -> "EvalLog":
    """Return the header of a log. Raises UnreadableLog if a member of the file would unpack to far more than it holds.

    Anything else that is wrong with a file raises what Inspect's reader raises.
    """
    from inspect_ai.log import read_eval_log

    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        return read_eval_log(name, header_only=True)
    check_members(name)
    with suppress(zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        member = top_members(name).get(HEADER)
        if member is not None:
            # Inspect's reader takes up every member's entry
            header = read_eval_log(part_of(path, [member]), header_only=True, format="eval")
            header.location = name
            return header
    return read_eval_log(name, header_only=True)


def read_sample(name: str, sample_id: str, epoch: int) -> "EvalSample | None":
    """Return a whole sample of a log; None if it can't be read."""
    from inspect_ai.log import read_eval_log_sample

    # one bad sample must not lose the others, and anything can be wrong with a file
    try:
        check_members(name)
        return read_eval_log_sample(name, sample_id, epoch)
    except Exception:
        return None


def read_samples(name: str, keys: Collection[tuple[str, int]]) -> "dict[tuple[str, int], EvalSample]":
    """Return those of the samples of a log, by id and epoch, that can be read.

    The directory of the file is gone through once for all of them.
    """
    from inspect_ai.log import read_eval_log

    path = local_path(name)
    names = {f"samples/{key}_epoch_{epoch}.json".encode() for key, epoch in keys}
    if path.suffix == ".eval" and path.is_file() and names:
        # one bad sample must not lose the others: then they are read one by one
        with suppress(Exception):
            check_members(name)
            part = part_of(path, newest_members(path, {HEADER, *names}).values())
            samples = read_eval_log(part, format="eval").samples or ()
            return {(str(one.id), one.epoch): one for one in samples}
    return {key: sample for key in keys if (sample := read_sample(name, *key)) is not None}


def check_members(name: str) -> None:
    """Raise UnreadableLog if a member of a local `.eval` file states a size that no log has."""
    path = local_path(name)
    if path.suffix != ".eval" or not path.is_file():
        return
    # Inspect's reader says what else is wrong
    with suppress(zipfile.BadZipFile, OSError, NotImplementedError):
        top_members(name)


def top_members(name: str) -> Mapping[bytes, Member]:
    """Return the members of a local `.eval` file that are in no folder, each as it was written last.

    They are header, summaries and reductions, and are found again without going through the directory as long as the
    file is as it was. Raises UnreadableLog as `check_members` does, and BadZipFile for what is no archive.
    """
    path = local_path(name)
    about = path.stat()
    found, swollen = _directory(path, about.st_size, about.st_mtime_ns)
    if swollen and swollen.size > LARGEST:
        size = f"{swollen.size / 2**20:,.0f} MB from {swollen.packed / 2**20:,.1f} MB"
        told = swollen.name.decode("utf-8", "replace")
        raise UnreadableLog(f"{name}: its member {told!r} unpacks to {size}; no run writes that")
    return found


@lru_cache(maxsize=64)
def _directory(path: Path, size: int, changed: int) -> tuple[Mapping[bytes, Member], Member | None]:
    """Return the members in no folder, and the largest one that would unpack to very many times its size."""
    found: dict[bytes, Member] = {}
    swollen = None
    for name, *fields in entries(path):
        packed, unpacked = fields[3], fields[4]
        if unpacked > _RATIO * packed and (swollen is None or unpacked > swollen.size):
            swollen = Member(name, *fields)
        if b"/" not in name:
            found[name] = Member(name, *fields)
    return found, swollen


def local_path(name: str) -> Path:
    """Return the path of a local log, given as a path or as a file URL."""
    return Path(unquote(urlparse(name).path) if name.startswith("file:") else name)
