"""Files are written whole or not at all, and never over what is read."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from refusalbench_tasks import safe_writing
from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError, WriteError
from refusalbench_tasks.safe_writing import (
    not_an_input,
    write_folder,
    write_rows,
    write_whole,
)

ROW = (
    '{"id": "a", "query": "Who?", "context": "Ada.", "answers": ["Ada"], "intensity":'
    ' "CLEAN", "reply": "Ada"}\n'
)
FIRST = {"rows.jsonl": "1", "tables/a.csv": "1", "tables/b.csv": "1"}
SECOND = {"rows.jsonl": "2", "tables/a.csv": "2"}
WRITERS: list[Callable[[Path], None]] = [
    lambda path: write_whole(path, "new"),
    lambda path: write_rows(path, [{"a": 1}]),
    lambda path: write_folder(path.parent, {path.name: "new"}),
]


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_rows_come_back_however_many_there_are(tmp_path: Path, suffix: str) -> None:
    rows = [{"id": str(k), "about": {"k": k}, "texts": ["ü"]} for k in range(2_001)]
    path = tmp_path / "new" / f"rows{suffix}"
    write_rows(path, iter(rows))
    read = (
        map(json.loads, path.read_text().splitlines())
        if suffix == ".jsonl"
        else pq.read_table(path).to_pylist()
    )
    assert list(read) == rows
    with pytest.raises(
        DataError, match="unknown format '.csv'; use one of .jsonl, .parquet"
    ):
        write_rows(tmp_path / "rows.csv", rows)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    "problem", ["Read-only file system", "No space left on device"]
)
def test_what_the_disk_refuses_is_one_line_and_the_earlier_file_stays(
    tmp_path: Path,
    writer: Callable[[Path], None],
    problem: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise OSError(30, problem)

    path = tmp_path / "out" / "rows.jsonl"
    write_whole(path, "old")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refused)
        patched.setattr(Path, "unlink", refused)
        with pytest.raises(
            WriteError, match=rf"{tmp_path}/out.*: cannot be \w+ \({problem}\)"
        ):
            writer(path)
    assert path.read_text() == "old"


def test_an_error_of_what_gives_the_rows_leaves_nothing_behind(tmp_path: Path) -> None:
    def rows() -> Iterator[dict[str, int]]:
        yield {"a": 1}
        raise DataError("no more")

    for suffix in (".jsonl", ".parquet"):
        with pytest.raises(DataError, match="no more"):
            write_rows(tmp_path / f"rows{suffix}", rows())
    assert content(tmp_path) == {}


@pytest.mark.parametrize("place", [0, 1])
def test_a_folder_of_which_a_file_cannot_be_written_stays_as_it_was(
    tmp_path: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path / "out", FIRST)
    done: list[Path] = []

    def full(path: Path, text: str) -> None:
        if len(done) == place:
            raise DataError(f"{path}: cannot be written (No space left on device)")
        done.append(path)
        write_whole(path, text)

    monkeypatch.setattr(safe_writing, "write_whole", full)
    with pytest.raises(
        DataError,
        match=r"out/[^.]*\.\w+: cannot be written \(No space left on device\)",
    ):
        write_folder(tmp_path / "out", SECOND, list(FIRST))
    assert content(tmp_path) == {f"out/{name}": text for name, text in FIRST.items()}


def test_files_of_an_earlier_run_go_and_what_else_is_in_the_folder_stays(
    tmp_path: Path,
) -> None:
    write_folder(tmp_path / "out", FIRST)
    (tmp_path / "out/tables/notes.md").write_text("mine")
    write_folder(tmp_path / "out", SECOND, list(FIRST))
    assert content(tmp_path / "out") == SECOND | {"tables/notes.md": "mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    (tmp_path / "file").write_text("mine")
    with pytest.raises(DataError, match="is a file; name a folder"):
        write_folder(tmp_path / "file", FIRST)


def test_what_is_read_is_known_by_whatever_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    read = tmp_path / "read.jsonl"
    other = tmp_path / "other.jsonl"
    read.write_text(ROW)
    not_an_input(tmp_path / "new.jsonl", read, None, "hub", tmp_path)
    not_an_input(read, "x" * 5000, "\0")  # no names of files
    other.write_text(ROW)
    not_an_input(other, read)
    (tmp_path / "linked.jsonl").symlink_to(read)
    for name in (read, Path(os.path.relpath(read)), tmp_path / "linked.jsonl"):
        with pytest.raises(
            DataError,
            match="this file is read, and would be lost; give the output another name",
        ):
            not_an_input(name, "hub", str(read))
    # a shell leaves the sign in `-T data=~/read.jsonl` to the reader
    with pytest.raises(DataError, match="this file is read"):
        not_an_input(read, "~/read.jsonl")


@pytest.mark.parametrize(
    "arguments",
    [
        ["documents", "rows.jsonl", "--unanswerable", "rows.jsonl"],
        ["plan", "--bases", "rows.jsonl", "-o", "rows.jsonl", "--licence", "CC0-1.0"],
    ],
)
def test_a_command_leaves_what_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("rows.jsonl", "other.jsonl"):
        Path(name).write_text(ROW)
    told = CliRunner().invoke(main, arguments)
    assert told.exit_code == 1
    assert (
        told.output
        == "Error: rows.jsonl: this file is read, and would be lost; give the output"
        " another name\n"
    )
    assert Path("rows.jsonl").read_text() == ROW


def test_two_that_write_to_one_folder_at_once_leave_the_files_of_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def slowly(old: Path, new: Path) -> None:
        replace(old, new)
        time.sleep(0.005)

    monkeypatch.setattr(os, "replace", slowly)
    names = [f"{number}.txt" for number in range(20)]
    writers = [
        Thread(
            target=write_folder,
            args=(tmp_path / "out", dict.fromkeys(names, text), names),
        )
        for text in "ab"
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    written = content(tmp_path / "out")
    assert set(written) == set(names)
    assert len(set(written.values())) == 1
