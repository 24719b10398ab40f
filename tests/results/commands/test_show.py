"""`refusalbench show`: what it prints, and of which logs."""

import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log


def test_show_counts_the_attempts_of_continued_runs_in_one_line(tmp_path: Path) -> None:
    for _ in range(3):
        write_log(tmp_path, "m", [row("1", Label.MISSING)], status="cancelled")
    write_log(tmp_path, "m", [row("1", Label.MISSING), row("2", Label.MISSING)])
    (tmp_path / "bad.eval").write_text("no log")
    warnings = CliRunner().invoke(main, ["show", str(tmp_path)]).stderr.splitlines()
    assert len(warnings) == 2
    assert "bad.eval: not a readable log" in warnings[0]
    assert warnings[1] == "Warning: left out: 3 logs: a later log continues this run"


@pytest.mark.parametrize("form", ["text", "csv", "json", "markdown", "latex"])
def test_show_prints_no_control_character_of_a_log(tmp_path: Path, form: str) -> None:
    codes = "gpt\x1b]0;owned\x07\x1b[2J\r\u202e\u2028x"
    rows = [row("a", Label.MISSING), row("b", None, reason=codes, reply=codes)]
    path = write_log(
        tmp_path, codes, rows, status="error", data=codes, selected_fingerprint=codes
    )
    path.rename(tmp_path / "x\x1b[2J.eval")
    (tmp_path / "bad\x1b[2J.eval").write_text("no log")
    done = CliRunner().invoke(main, ["show", str(tmp_path), "--format", form])
    assert done.exit_code == 0, done.output
    assert "gpt" in done.stdout
    kinds = {
        unicodedata.category(character) for character in done.output.replace("\n", "")
    }
    assert not kinds & {"Cc", "Cf", "Zl", "Zp"}


def test_show_prints_the_last_runs_of_each_system_the_oldest_first(
    tmp_path: Path,
) -> None:
    for day, model in ((3, "m"), (1, "m"), (2, "m"), (1, "other")):
        write_log(
            tmp_path,
            model,
            [row("1", Label.MISSING)],
            created=f"2026-01-0{day}T09:30:00+00:00",
        )
    done = CliRunner().invoke(main, ["show", str(tmp_path), "--runs", "2"])
    assert done.exit_code == 0, done.output
    lines = [line for line in done.stdout.splitlines() if ", 2026-" in line]
    runs = dict.fromkeys(line.split("T09:30")[0] for line in lines)
    assert [run.replace(" (no grader)", "") for run in runs] == [
        "m #1, 2026-01-02",
        "m #2, 2026-01-03",
        "other, 2026-01-01",
    ]
