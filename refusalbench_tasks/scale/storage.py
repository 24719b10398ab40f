"""Log files wherever Inspect writes them: on this machine, or behind a URL that fsspec knows (s3://, gcs://, …)."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_members import local_path


def is_remote(name: str) -> bool:
    """Return whether a name is a URL of another machine."""
    return "://" in name and not name.startswith("file:")


def absolute(name: str) -> str:
    """Return a name that means the same in every folder: a URL as it is, a path in full."""
    return name if is_remote(name) else str(local_path(name).resolve())


def exists(name: str) -> bool:
    """Return whether there is a file or folder of a name. Raises DataError where its store can't be asked."""
    if not is_remote(name):
        return local_path(name).exists()
    with _told(name):
        system, path = _system(name)
        return bool(system.exists(path))


def size_and_time(name: str) -> tuple[int, float]:
    """Return a file's size in bytes and the time of its last change in seconds; 0 where its store keeps no time."""
    if not is_remote(name):
        about = local_path(name).stat()
        return about.st_size, about.st_mtime
    with _told(name):
        system, path = _system(name)
        info = system.info(path)
    changed = next((info[key] for key in ("LastModified", "mtime", "updated", "last_modified") if key in info), 0.0)
    return int(info["size"]), changed.timestamp() if isinstance(changed, datetime) else _number(changed)


def read_text(name: str) -> str | None:
    """Return the text of a small file; None if there is none."""
    if not exists(name):
        return None
    with local_copy(name) as path:
        return path.read_text(encoding="utf-8")


@contextmanager
def local_copy(name: str) -> Iterator[Path]:
    """Yield the file on this machine: itself, or a copy that is gone at the end."""
    if not is_remote(name):
        yield local_path(name)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name.rpartition("/")[2]
        with _told(name):
            system, place = _system(name)
            system.get_file(place, str(path))
        yield path


@contextmanager
def written(name: str) -> Iterator[IO[bytes]]:
    """Yield a file to write and read; it has its name once all of it is written, and after an error it is gone."""
    if is_remote(name):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "written"
            with path.open("xb+") as file:
                yield file
            with _told(name):
                system, place = _system(name)
                system.put_file(str(path), place)
        return
    target = local_path(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with part.open("xb+") as file:
            yield file
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def lay(source: str, place: str) -> None:
    """Lay a file at a place as well, unless one is there: linked where that can be, else copied."""
    if exists(place):
        return
    if is_remote(source) or is_remote(place):
        with local_copy(source) as path, path.open("rb") as file, written(place) as copy:
            shutil.copyfileobj(file, copy, 1 << 20)
        return
    target = local_path(place)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(local_path(source), target)
    except OSError:
        shutil.copy2(local_path(source), target)


def _system(name: str) -> tuple[Any, str]:
    import fsspec

    # a listing that is kept would hide what other processes write
    system, path = fsspec.core.url_to_fs(name, use_listings_cache=False)
    return system, str(path)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Turn what a store says of a failure into one line."""
    try:
        yield
    except ImportError as error:
        raise DataError(f"{name}: {error}") from None
    except Exception as error:  # each store has errors of its own
        if isinstance(error, DataError):
            raise
        told = " ".join(str(error).split())[:200] or type(error).__name__
        raise DataError(f"{name}: its store refuses ({told}); check the address and the credentials") from None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
