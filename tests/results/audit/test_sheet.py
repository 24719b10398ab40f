"""What people judged of a sheet of replies corrects what a grader found."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.audit.sheet import (
    corrected_rates,
    draw_ids,
    judged,
    read_labels,
)
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv
from tests.results.audit.scored_copies import filled, read

pytestmark = pytest.mark.xdist_group("audit")


def test_a_filled_sheet_corrects_the_rates(copies: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "sheet.csv", "--n", "12"]
    )
    assert result.exit_code == 0, result.output
    rows = read_sheet_rows(tmp_path / "sheet.csv")
    assert len(rows) == 12
    assert all(
        row["reply"].startswith("It is number") and row["references"] for row in rows
    )
    assert {row["label"] + row["correct"] for row in rows} == {""}
    for row in rows:  # people: every reply is an answer, and a wrong one
        row.update(label="ANSWER", correct="no")
    (tmp_path / "filled.csv").write_text(sheet_csv(list(rows[0]), rows))
    log = read(copies[2])
    found = corrected_rates(log, read_labels(tmp_path / "filled.csv"))
    assert found["refused"].judged == pytest.approx(0.5)
    assert found["refused"].corrected == found["correct"].corrected == 0.0
    assert found["correct"].n_read == 12
    result = CliRunner().invoke(main, ["audit", copies[2], "--sheet", "filled.csv"])
    assert "corrected" in result.output


@pytest.mark.parametrize(
    ("label", "correct", "problem"),
    [
        ("", "", "no label is filled in"),
        ("yes", "", "expected answer, refusal or a refusal code"),
        ("ANSWER", "?", "expected yes or no"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_where(
    tmp_path: Path, label: str, correct: str, problem: str
) -> None:
    path = tmp_path / "s.csv"
    path.write_text(
        f"id,question,references,reply,label,correct\na,q,r,x,{label},{correct}\n"
    )
    with pytest.raises(DataError, match=problem):
        read_labels(path)


def test_the_sheet_is_spread_over_labels_and_drawn_alike_again(
    copies: list[str],
) -> None:
    labels = judged(read(copies[2]))["predicted"]
    drawn = draw_ids(labels, 10)
    assert (labels[drawn] == "ANSWER_CORRECTLY").sum() == 5
    assert drawn == draw_ids(labels, 10)
    assert CliRunner().invoke(main, ["audit", copies[0]]).exit_code == 1


def test_rows_that_are_there_twice_or_of_no_reply_are_named(
    copies: list[str], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"row 3, field 'id': 'a' is filled in twice"):
        read_labels(filled(tmp_path / "s.csv", "a", "b", "a"))
    own = judged(read(copies[2])).index[0]
    told = CliRunner().invoke(
        main,
        [
            "audit",
            copies[2],
            "--sheet",
            str(filled(tmp_path / "s.csv", own, "foreign")),
        ],
    )
    assert "foreign is no judged reply of this log" in told.stderr
    assert told.exit_code == 0
    told = CliRunner().invoke(
        main,
        ["audit", copies[2], "--sheet", str(filled(tmp_path / "s.csv", "foreign"))],
    )
    assert "no row of the sheet is a judged reply" in told.stderr
