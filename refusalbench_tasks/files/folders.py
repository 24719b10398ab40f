"""Folders of files that belong together: replaced whole or not at all."""

import os
import shutil
import uuid
from collections.abc import Collection, Mapping
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.writing import Content, write_whole


def write_folder(folder: Path, files: Mapping[str, Content], ours: Collection[str] = ()) -> None:
    """Write files, by relative name, in place of those of `ours` that an earlier run wrote to the folder.

    All is written to a new folder beside it first, so that a full disk leaves the earlier one as it was. If only ours
    stands in the earlier one, the folders are swapped; otherwise the files are exchanged, and what else is there stays.
    Raises DataError if that cannot be done; the folder is then as it was.
    """
    target = folder.resolve()
    if target.exists() and not target.is_dir():
        raise DataError(f"{folder}: is a file; name a folder")
    mark = uuid.uuid4().hex[:8]
    new, old = (target.with_name(f".{target.name}.{kind}-{mark}") for kind in ("new", "old"))
    try:
        for name, content in files.items():
            write_whole(new / name, content)
        if not target.exists():
            os.replace(new, target)
        elif _holds_only({*ours, *files}, target):
            _swap(new, target, old)
        else:
            _exchange(new, target, old, files, ours)
    except DataError as error:
        raise DataError(str(error).replace(str(new), str(folder))) from None
    except OSError as error:
        raise DataError(f"{folder}: cannot be replaced ({error.strerror}); name another folder") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _holds_only(names: Collection[str], target: Path) -> bool:
    if Path.cwd().is_relative_to(target):
        return False  # who stands in the folder must not be left standing in the old one
    return all(
        path.relative_to(target).as_posix() in names
        for path in target.rglob("*")
        if path.is_symlink() or not path.is_dir()
    )


def _swap(new: Path, target: Path, old: Path) -> None:
    shutil.copymode(target, new)
    os.replace(target, old)
    try:
        os.replace(new, target)
    except OSError:
        os.replace(old, target)
        raise


def _exchange(new: Path, target: Path, old: Path, files: Collection[str], ours: Collection[str]) -> None:
    moves = [(target / name, old / name) for name in sorted({*ours, *files}) if (target / name).is_file()]
    moves += [(new / name, target / name) for name in files]
    done: list[tuple[Path, Path]] = []
    try:
        for source, place in moves:
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(source, place)
            done.append((source, place))
    except OSError:
        for source, place in reversed(done):
            os.replace(place, source)
        shutil.rmtree(old, ignore_errors=True)
        raise
