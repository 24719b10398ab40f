"""Files that are written whole or not at all."""

import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError

_PIECE = 1 << 20
Content = str | bytes | Path
"""What a file is to hold: a text, bytes, or what another file holds, which nobody writes to any more."""


def write_whole(path: Path, content: Content) -> None:
    """Write a file under another name first, then rename it, so that no reader sees a part of it.

    Text is written as UTF-8 with the line ends it has. Raises DataError if the text is not valid Unicode or the file
    can't be written there; nothing is left behind.
    """
    try:
        data = content.encode("utf-8") if isinstance(content, str) else content
    except UnicodeEncodeError as error:
        raise DataError(f"{path}: the text is not valid Unicode ({error.reason}); repair the source") from None
    part = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # not mkstemp, whose files are the owner's alone: the mode follows the umask
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        if isinstance(data, Path):
            _take(data, part)
        else:
            with part.open("xb") as file:
                file.write(data)
        os.replace(part, path)
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        raise DataError(f"{path}: cannot be written ({error.strerror})") from None


def not_an_input(output: Path, *inputs: str | Path | None) -> None:
    """Raise DataError if a file that is to be written is one of those that are read, by whatever name."""
    if any(one is not None and _same(output, one) for one in inputs):
        raise DataError(f"{output}: this file is read, and would be lost; give the output another name")


def _same(output: Path, other: str | Path) -> bool:
    # what can be no name of a file, as a text that is too long, is no file that is read
    with suppress(OSError, RuntimeError, ValueError):
        return output.samefile(Path(other).expanduser())
    return False


def _take(source: Path, path: Path) -> None:
    """Have a new file hold what another one does: as a second name of it where the file system can, else as a copy."""
    # in a folder that hands its group on, a second name would keep the group of the first
    if not path.parent.stat().st_mode & stat.S_ISGID:
        with suppress(OSError):
            os.link(source, path)
            return
    with path.open("xb") as file, source.open("rb") as held:
        shutil.copyfileobj(held, file, _PIECE)


def write_jsonl(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as JSON lines, whole or not at all."""
    write_whole(path, jsonl(rows))


def jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
