"""A command never writes over a log that it reads."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import not_an_input
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log


def test_a_log_is_known_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("0.eval", "table.csv"):
        (folder / name).touch()
    (tmp_path / "beside").symlink_to(folder)
    for place in (folder / "table.csv", folder / "new.eval", tmp_path / "0.eval"):
        not_an_input(place, str(folder), None)
    for place, where in (
        (folder, folder),
        (folder, tmp_path),
        (tmp_path / "beside", folder),
        (folder, folder / "0.eval"),
    ):
        with pytest.raises(DataError, match="this file is read"):
            not_an_input(place / "0.eval", None, str(where))


def test_a_command_leaves_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = write_log(tmp_path, "m", [row("q", Label.MISSING)]).read_bytes()
    for logs in ("0.eval", "."):
        told = CliRunner().invoke(main, ["rows", logs, "-o", "0.eval"])
        assert told.exit_code == 1
        assert (
            told.output
            == "Error: 0.eval: this file is read, and would be lost; give the output"
            " another name\n"
        )
        assert Path("0.eval").read_bytes() == before
