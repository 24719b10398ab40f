"""The files of a folder, in one order, without what is hidden or leads elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError

from .formats import KINDS


@dataclass(frozen=True)
class LeftOut:
    """A file or a passage that is not in the corpus, and why.

    `begins` are a passage's first words.
    """

    source: str
    reason: str
    begins: str = ""


def documents_in(folder: Path, most_bytes: int) -> tuple[list[str], list[LeftOut]]:
    """Return the paths of the documents in a folder, relative with `/` and sorted, and
    what is left out by its name.

    Hidden files and folders (`.git`, `~$letter.docx`) are passed over. No symbolic link
    is followed. Raises DataError for what is no folder.
    """
    if not folder.is_dir():
        problem = (
            "this is a file, give its folder" if folder.exists() else "no such folder"
        )
        raise DataError(f"documents: {problem}: '{folder}'")
    reasons = {}

    def unread(error: OSError) -> None:
        source = os.path.relpath(error.filename or folder, folder)
        reasons[source] = f"cannot be read ({error.strerror})"

    for parent, folders, names in os.walk(folder, onerror=unread):
        folders[:] = filter(_is_shown, folders)
        links = [name for name in folders if Path(parent, name).is_symlink()]
        for name in filter(_is_shown, (*links, *names)):
            path = Path(parent, name)
            source = path.relative_to(folder).as_posix()
            reasons[source] = _reason(path, most_bytes)
    documents = []
    left_out = []
    for source in sorted(reasons, key=lambda source: source.split("/")):
        if reasons[source]:
            shown = source.encode("utf-8", "backslashreplace").decode()
            left_out.append(LeftOut(shown, reasons[source]))
        else:
            documents.append(source)
    return documents, left_out


def _is_shown(name: str) -> bool:
    return not name.startswith((".", "~$"))


def _reason(path: Path, most_bytes: int) -> str:
    """Return why a file can't be a document; nothing if it can."""
    try:
        path.name.encode()
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
    if size > most_bytes:
        return f"huge: {size:,} bytes, the limit is {most_bytes:,}"
    return ""
