"""A command never writes over a log that it reads."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import not_a_log
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log


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
