"""Files on this machine or behind a URL that fsspec knows (s3://, gcs://): existence, size, copies."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from refusalbench_tasks.errors import DataError, WriteError
from refusalbench_tasks.log_reading import local_path


def is_remote(name: str) -> bool:
    """Return whether a name is a URL of another machine."""
    return "://" in name and not name.startswith("file:")


def absolute(name: str) -> str:
    """Return a name that means the same in every folder: a URL as it is, a path in full."""
    return name if is_remote(name) else str(local_path(name).resolve())


def exists(name: str) -> bool:
    """Return whether there is a file or folder of a name."""
    with _plain_errors(name):
        system, path = _system(name)
        return bool(system.exists(path))


def size_and_time(name: str) -> tuple[int, float]:
    """Return a file's size in bytes and the time of its last change in seconds; 0 where its store keeps no time."""
    with _plain_errors(name):
        system, path = _system(name)
        info = system.info(path)
    changed = next((info[key] for key in ("LastModified", "mtime", "updated", "last_modified") if key in info), 0.0)
    seconds = changed.timestamp() if isinstance(changed, datetime) else changed
    return int(info["size"]), float(seconds) if isinstance(seconds, int | float) else 0.0


def read_text(name: str) -> str | None:
    """Return the text of a small file; None if there is none."""
    if not exists(name):
        return None
    with _plain_errors(name):
        system, path = _system(name)
        return bytes(system.cat_file(path)).decode("utf-8", "replace")


def write_text(name: str, text: str) -> None:
    """Write a small file."""
    with _plain_errors(name):
        system, path = _system(name)
        system.makedirs(path.rpartition("/")[0], exist_ok=True)
        system.pipe_file(path, text.encode())


def copy_to(source: str, place: str) -> None:
    """Copy a file to a place, unless one is there: on this machine as a second name of it where that can be."""
    if exists(place):
        return
    with _plain_errors(place):
        if is_remote(source) or is_remote(place):
            (one, path), (other, target) = _system(source), _system(place)
            with one.open(path, "rb") as file, other.open(target, "wb") as copy:
                shutil.copyfileobj(file, copy, 1 << 20)
            return
        target_path = local_path(place)
        target_path.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(local_path(source), target_path)
        except OSError:
            shutil.copy2(local_path(source), target_path)


def _system(name: str) -> tuple[Any, str]:
    import fsspec

    # a listing that is kept would hide what other processes write
    system, path = fsspec.core.url_to_fs(name if is_remote(name) else str(local_path(name)), use_listings_cache=False)
    return system, str(path)


@contextmanager
def _plain_errors(name: str) -> Iterator[None]:
    """Turn what a store or a disk says of a failure into one line."""
    try:
        yield
    except DataError:
        raise
    except OSError as error:
        raise WriteError(f"{name}: cannot be read or written ({error.strerror or error})") from None
    except Exception as error:  # each store has errors of its own
        text = " ".join(str(error).split())[:200] or type(error).__name__
        raise DataError(f"{name}: its store refuses ({text}); check the address and the credentials") from None
