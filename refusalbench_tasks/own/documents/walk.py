"""The files of a folder, in one order, without what is hidden or leads elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.kinds import KINDS


@dataclass(frozen=True)
class LeftOut:
    """A file that is not in the corpus, and why."""

    source: str
    reason: str


def documents_in(folder: Path, most_bytes: int) -> tuple[list[str], list[LeftOut]]:
    """Return the paths of the documents in a folder, relative with `/` and sorted, and what is left out by its name.

    Hidden files and folders (`.git`, `~$letter.docx`) are passed over. No symbolic link is followed. Raises DataError
    for what is no folder.
    """
    if not folder.is_dir():
        problem = "this is a file, give its folder" if folder.exists() else "no such folder"
        raise DataError(f"documents: {problem}: '{folder}'")
    found: list[str] = []
    left_out: list[LeftOut] = []
    for place, folders, names in os.walk(folder, onerror=lambda error: left_out.append(_unread(folder, error))):
        visible = [name for name in folders if not _hidden(name)]
        links = [name for name in visible if os.path.islink(os.path.join(place, name))]
        folders[:] = [name for name in visible if name not in links]
        for name in [*links, *(name for name in names if not _hidden(name))]:
            path = Path(place, name)
            source = path.relative_to(folder).as_posix()
            reason = _reason(path, source, most_bytes)
            if reason:
                left_out.append(LeftOut(source.encode("utf-8", "backslashreplace").decode(), reason))
            else:
                found.append(source)
    return sorted(found, key=lambda source: source.split("/")), left_out


def _reason(path: Path, source: str, most_bytes: int) -> str:
    try:
        source.encode("utf-8")
        if path.is_symlink():
            return "a symbolic link, not followed"
        if not path.is_file():
            return "not a regular file"
        if path.suffix.lower() not in KINDS:
            return f"unknown format '{path.suffix}'; known: {', '.join(KINDS)}"
        size = path.stat().st_size
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return f"huge: {size:,} bytes, the limit is {most_bytes:,}" if size > most_bytes else ""


def _unread(folder: Path, error: OSError) -> LeftOut:
    name = os.path.relpath(error.filename or folder, folder)
    return LeftOut(Path(name).as_posix(), f"cannot be read ({error.strerror})")


def _hidden(name: str) -> bool:
    return name.startswith((".", "~$"))
