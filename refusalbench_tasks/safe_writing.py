"""Files that are written whole or not at all, and never over what is read."""

import json
import os
import secrets
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.errors import DataError, WriteError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

Content = str | bytes | Path
"""What a file is to hold: a text, bytes, or what another file holds."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give the place of a file that is to be written; it has its name once all is
    written, and is gone after an error.

    Raises DataError for what the file system refuses: a full disk, a read-only folder.
    """
    # not mkstemp, whose files are the owner's alone: the mode follows the umask
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        os.replace(part, path)
    except OSError as error:
        raise WriteError(
            f"{path}: cannot be written ({error.strerror or error})"
        ) from None
    finally:
        with suppress(OSError):  # a read-only disk refuses this too
            part.unlink(missing_ok=True)


def write_whole(path: Path, content: Content) -> None:
    """Write a text (as UTF-8, with the line ends it has), bytes, or what another file
    holds.

    Raises DataError.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:
        raise DataError(
            f"{path}: the text is not valid Unicode ({error.reason}); repair the source"
        ) from None
    with whole_file(path) as part:
        if isinstance(data, Path):
            shutil.copyfile(data, part)
        else:
            part.write_bytes(data)


def write_log(log: "EvalLog", name: str) -> None:
    """Write a log to a path, where it is whole or not at all, or to a URL. Raises
    WriteError.
    """
    from inspect_ai.log import write_eval_log

    try:
        if "://" in name:
            write_eval_log(log, name)
        else:
            with whole_file(Path(name)) as part:
                write_eval_log(log, part, "json" if name.endswith(".json") else "eval")
    except (OSError, WriteError) as error:
        # Inspect's half-written archive complains a second time when it is collected
        sys.unraisablehook = lambda _: None
        if isinstance(error, WriteError):
            raise
        raise WriteError(f"{name}: cannot be written ({error})") from None


def jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows to a JSONL or Parquet file, which takes its columns from the first of
    them.

    Raises DataError for another suffix, and for a place that can't be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".jsonl", ".parquet"):
        raise DataError(
            f"{path}: unknown format '{path.suffix}'; use one of .jsonl, .parquet"
        )
    with whole_file(path) as part:
        if suffix == ".jsonl":
            with part.open("w", encoding="utf-8") as file:
                file.writelines(jsonl([row]) for row in rows)
        else:
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(
                pa.Table.from_pylist(list(rows)),
                part,
                compression="zstd",
            )


def write_folder(
    folder: Path, files: Mapping[str, Content], ours: Collection[str] = ()
) -> None:
    """Write files, by relative name, in place of those of `ours` that an earlier run
    wrote to the folder.

    All is written beside it first, so that a full disk leaves the earlier files as they
    were; then each takes its place, while another process that writes there waits. What
    else is there stays. Raises DataError if that cannot be done.
    """
    target = folder.resolve()
    if target.exists() and not target.is_dir():
        raise DataError(f"{folder}: is a file; name a folder")
    new = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        for name, content in files.items():
            write_whole(new / name, content)
        target.mkdir(parents=True, exist_ok=True)
        with _only_writer(target):
            for name in files:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(new / name, target / name)
            for name in {*ours} - {*files}:
                (target / name).unlink(missing_ok=True)
    except DataError as error:
        problem = str(error).replace(str(new), str(folder))
        raise type(error)(problem) from None
    except OSError as error:
        raise WriteError(
            f"{folder}: cannot be replaced ({error.strerror}); name another folder"
        ) from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


@contextmanager
def _only_writer(folder: Path) -> Iterator[None]:
    """Let one process at a time put files into a folder, so that those of one run stand
    there together.

    The lock is the kernel's own: it leaves no file, and ends with a process that is
    killed.
    """
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def not_an_input(output: Path, *inputs: str | Path | None) -> None:
    """Raise DataError if a file that is to be written is one that is read, by whatever
    name, or a log in such a folder.

    So nobody's log is lost to a table that was to stand beside it.
    """
    for source in inputs:
        if source is not None and _is_read(output, source):
            raise DataError(
                f"{output}: this file is read, and would be lost; give the output"
                " another name"
            )


def _is_read(output: Path, source: str | Path) -> bool:
    real = output.parent.resolve() / output.name
    # a file that is not there yet, and what can be no name of one, are not read
    with suppress(OSError, RuntimeError, ValueError):
        path = Path(source).expanduser()
        may_be_log = real.suffix in (".eval", ".json") and real.exists()
        if may_be_log and real.is_relative_to(path.resolve()):
            return True
        return output.samefile(path)
    return False
