"""A command never writes over what it reads."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.writing import not_an_input

ROW = '{"id": "a", "query": "Who?", "context": "Ada.", "answers": ["Ada"], "intensity": "CLEAN", "reply": "Ada"}\n'


def test_what_is_read_is_known_by_whatever_name(tmp_path: Path) -> None:
    read, other = tmp_path / "read.jsonl", tmp_path / "other.jsonl"
    read.write_text(ROW)
    not_an_input(tmp_path / "new.jsonl", read, None, "hub", tmp_path)
    other.write_text(ROW)
    not_an_input(other, read)
    (tmp_path / "linked.jsonl").symlink_to(read)
    for name in (read, Path(os.path.relpath(read)), tmp_path / "linked.jsonl"):
        with pytest.raises(DataError, match="this file is read, and would be lost; give the output another name"):
            not_an_input(name, "hub", str(read))


@pytest.mark.parametrize(
    "arguments",
    [
        ["unanswerable", "rows.jsonl", "-o", "rows.jsonl"],
        ["unanswerable", "other.jsonl", "-o", "rows.jsonl", "--questions", "rows.jsonl"],
        ["bases", "rows.jsonl", "-o", "rows.jsonl", "--licence", "CC0-1.0"],
        ["score", "rows.jsonl", "--task", "nq", "--data", "other.jsonl", "-o", "rows.jsonl"],
        ["score", "other.jsonl", "--task", "nq", "--data", "rows.jsonl", "-o", "rows.jsonl"],
    ],
)
def test_a_command_leaves_what_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("rows.jsonl", "other.jsonl"):
        Path(name).write_text(ROW)
    told = CliRunner().invoke(main, arguments)
    assert told.exit_code == 1
    assert told.output == "Error: rows.jsonl: this file is read, and would be lost; give the output another name\n"
    assert Path("rows.jsonl").read_text() == ROW
