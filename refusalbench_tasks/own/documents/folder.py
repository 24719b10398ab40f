"""The files of a folder, in one order, without what is hidden or leads elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.formats import KINDS


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
    reasons: dict[str, str] = {}

    def unread(error: OSError) -> None:
        reasons[os.path.relpath(error.filename or folder, folder)] = (
            f"cannot be read ({error.strerror})"
        )

    for parent, folders, names in os.walk(folder, onerror=unread):
        visible = [name for name in folders if not name.startswith((".", "~$"))]
        folders[:] = [
            name for name in visible if not os.path.islink(os.path.join(parent, name))
        ]
        linked = set(visible).difference(folders)
        files = [name for name in names if not name.startswith((".", "~$"))]
        for name in (*linked, *files):
            path = Path(parent, name)
            reasons[path.relative_to(folder).as_posix()] = _reason(path, most_bytes)
    documents = sorted(
        (source for source, reason in reasons.items() if not reason),
        key=lambda source: source.split("/"),
    )
    shown = {
        source.encode("utf-8", "backslashreplace").decode(): why
        for source, why in reasons.items()
        if why
    }
    return documents, [LeftOut(source, reason) for source, reason in shown.items()]


def _reason(path: Path, most_bytes: int) -> str:
    """Return why a file can't be a document; nothing if it can."""
    try:
        path.name.encode("utf-8")
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
