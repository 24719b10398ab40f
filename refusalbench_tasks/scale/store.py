"""Files on this machine or behind a URL that fsspec knows (s3://, gcs://): existence
and copies.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from refusalbench_tasks.errors import DataError, WriteError
from refusalbench_tasks.log_reading import local_path
from refusalbench_tasks.replies.outside_text import one_line


def absolute(name: str) -> str:
    """Return a name that means the same in every folder: a URL as it is, a path in
    full.
    """
    if "://" in name and not name.startswith("file:"):
        return name
    return str(local_path(name).resolve())


def exists(name: str) -> bool:
    """Return whether there is a file or folder of a name."""
    with _opened(name) as (system, path):
        return bool(system.exists(path))


def copy_to(source: str, destination: str) -> None:
    """Copy a file to a place, unless one is there."""
    with _opened(destination) as (system, target), _opened(source) as (other, path):
        if not system.exists(target):
            system.makedirs(target.rpartition("/")[0], exist_ok=True)
            with other.open(path, "rb") as file, system.open(target, "wb") as copy:
                shutil.copyfileobj(file, copy, 1 << 20)


@contextmanager
def _opened(name: str) -> Iterator[tuple[Any, str]]:
    """Yield a name's file system and its path there; what a store or a disk says of a
    failure becomes one line.
    """
    import fsspec

    try:
        # a listing that is kept would hide what other processes write
        yield fsspec.core.url_to_fs(absolute(name), use_listings_cache=False)
    except DataError:
        raise
    except OSError as error:
        raise WriteError(
            f"{name}: cannot be read or written ({error.strerror or error})"
        ) from None
    except Exception as error:  # each store has errors of its own
        text = one_line(error)[:200] or type(error).__name__
        raise DataError(
            f"{name}: its store refuses ({text}); check the address and the credentials"
        ) from None
