"""A command never writes over what it reads."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_names import not_a_log
from refusalbench_tasks.files.writing import not_an_input, write_whole
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import row, write_log

ROW = '{"id": "a", "query": "Who?", "context": "Ada.", "answers": ["Ada"], "intensity": "CLEAN", "reply": "Ada"}\n'


def test_what_is_read_is_known_by_whatever_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    read, other = tmp_path / "read.jsonl", tmp_path / "other.jsonl"
    read.write_text(ROW)
    not_an_input(tmp_path / "new.jsonl", read, None, "hub", tmp_path)
    not_an_input(read, "x" * 5000, "\0")  # no names of files
    other.write_text(ROW)
    not_an_input(other, read)
    (tmp_path / "linked.jsonl").symlink_to(read)
    for name in (read, Path(os.path.relpath(read)), tmp_path / "linked.jsonl"):
        with pytest.raises(DataError, match="this file is read, and would be lost; give the output another name"):
            not_an_input(name, "hub", str(read))
    # a shell leaves the sign in `-T data=~/read.jsonl` to the reader
    with pytest.raises(DataError, match="this file is read"):
        not_an_input(read, "~/read.jsonl")


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


def test_a_log_is_known_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("0.eval", "table.csv"):
        (folder / name).touch()
    (tmp_path / "beside").symlink_to(folder)
    for place in (folder / "table.csv", folder / "new.eval", tmp_path / "0.eval"):
        not_a_log(place, str(folder), None)
    for place, where in (
        (folder, folder),
        (folder, tmp_path),
        (tmp_path / "beside", folder),
        (folder, folder / "0.eval"),
    ):
        for name in (str(where), where.as_uri()):
            with pytest.raises(DataError, match="this file is read"):
                not_a_log(place / "0.eval", None, name)


@pytest.mark.parametrize(
    "arguments",
    [
        ["gate", "0.eval", "--max=false_refusal_rate=1", "-o", "0.eval"],
        ["gate", ".", "--max=false_refusal_rate=1", "-o", "0.eval"],
        ["gate", "0.eval", "--rules", "rules.yaml", "-o", "rules.yaml"],
        ["gate", "0.eval", "--rules", "rules.yaml", "--against", "b/0.eval", "--no-worse-than=1", "-o", "b/0.eval"],
        ["reproduce", "0.eval", "--csv", "0.eval"],
        ["reproduce", ".", "--csv", "0.eval"],
    ],
)
def test_a_command_leaves_logs_and_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_log(tmp_path, "m", [row("q", Label.MISSING)])
    write_log(tmp_path / "b", "m", [row("q", Label.MISSING)])
    Path("rules.yaml").write_text("rules: [{metric: false_refusal_rate, max: 1}]\n")
    before = Path(arguments[-1]).read_bytes()
    told = CliRunner().invoke(main, arguments)
    assert told.exit_code == (2 if arguments[0] == "gate" else 1)
    assert told.output.strip() == (
        f"Error: {arguments[-1]}: this file is read, and would be lost; give the output another name"
    )
    assert Path(arguments[-1]).read_bytes() == before


def test_what_another_file_holds_gets_a_second_name_but_not_where_a_folder_hands_its_group_on(tmp_path: Path) -> None:
    held, plain, shared = tmp_path / "held", tmp_path / "plain", tmp_path / "shared"
    held.write_text(ROW)
    for folder, mode in ((plain, 0o755), (shared, 0o2755)):
        folder.mkdir()
        folder.chmod(mode)
        write_whole(folder / "rows.jsonl", held)
        assert (folder / "rows.jsonl").read_text() == ROW
    assert (plain / "rows.jsonl").samefile(held)
    assert not (shared / "rows.jsonl").samefile(held)
