"""What people found of a grader corrects its later runs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.audit.grader_calibration import GraderCalibration
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv

pytestmark = pytest.mark.xdist_group("audit")


def test_a_calibration_is_kept_and_corrects_later_runs_of_the_same_grader_alone(
    copies: list[str], tmp_path: Path
) -> None:
    run = CliRunner().invoke
    assert (
        run(main, ["audit", copies[2], "--draw", "sheet.csv", "--n", "16"]).exit_code
        == 0
    )
    rows = read_sheet_rows(tmp_path / "sheet.csv")
    # of c, which calls odd numbers right answers and refuses the others
    for number, row in enumerate(rows):
        refuses = int(row["reply"].split()[-1]) % 2 == 0
        row.update(
            label="REFUSE_OTHER" if refuses and number else "ANSWER",
            correct="no" if refuses else "yes",
        )
    (tmp_path / "filled.csv").write_text(sheet_csv(list(rows[0]), rows))
    kept = run(main, ["audit", copies[2], "--sheet", "filled.csv", "--keep", "c.json"])
    assert "--calibration" in kept.output
    known = GraderCalibration.read(tmp_path / "c.json")
    assert known.graders == ("mockllm/c",)
    # people and c agree on what is right
    assert known.correct.positives == known.correct.found
    later = run(
        main, ["audit", copies[2], "--calibration", "c.json", "--format", "json"]
    )
    found = {
        row["judged replies"]: row for row in json.loads(later.output)["calibrated"]
    }
    assert found["refused"]["grader"] == 0.5
    assert (
        found["refused"]["95 % low"]
        < found["refused"]["corrected"]
        <= 0.5
        < found["refused"]["95 % high"]
    )
    other = run(main, ["audit", copies[0], "--calibration", "c.json"])
    assert other.exit_code == 1
    assert (
        "another graders: mockllm/a, and the calibration is of mockllm/c"
        in " ".join(other.output.split())
    )
    (tmp_path / "c.json").write_text('{"graders": 5}')
    assert (
        "c.json, field 'graders'"
        in run(main, ["audit", copies[2], "--calibration", "c.json"]).output
    )
