"""Judges against each other and against people: by hand, by construction, and through
the command line.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.audit.agreement import grader_agreement
from refusalbench_tasks.results.audit.grader_calibration import GraderCalibration
from refusalbench_tasks.results.audit.sheet import (
    corrected_rates,
    draw_ids,
    judged,
    read_labels,
)
from refusalbench_tasks.results.run_selection import refusal_runs
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv
from refusalbench_tasks.tasks.nq import nq
from tests.generators.panel import named
from tests.models import part, right_verdict


def grader(name: str, grade: Callable[[str], int | None]) -> Any:
    def answer(prompt: str) -> dict[str, Any]:
        known = right_verdict(prompt)
        if isinstance(known, dict):
            return known
        given = grade(part(prompt, "REPLY"))
        label = "ANSWER_ATTEMPT" if given is not None else "REFUSE_OTHER"
        references = "BEGIN REFERENCES" in prompt
        return {"explanation": "x", "label": label} | (
            {"grade": given} if references else {}
        )

    return named(name, answer)


pytestmark = pytest.mark.xdist_group("audit")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return three scored copies of one run whose replies end in a digit: graders a and
    b agree, c grades by parity.
    """
    folder = tmp_path_factory.mktemp("scored")
    count = iter(range(10_000))
    model = named("m", lambda prompt: f"It is number {next(count)}")
    task = nq(data="sample", intensities="LOW")
    roles: Any = {"grader": grader("a", lambda reply: 1 + int(reply.split()[-1]) % 5)}
    (log,) = eval(
        task,
        model=model,
        model_roles=roles,
        log_dir=str(folder / "run"),
        display="none",
    )
    paths = []
    graders: dict[str, Callable[[str], int | None]] = {
        "a": lambda reply: 1 + int(reply.split()[-1]) % 5,
        "b": lambda reply: 1 + int(reply.split()[-1]) % 5,
        "c": lambda reply: 5 if int(reply.split()[-1]) % 2 else None,
    }
    for name, grade in graders.items():
        roles = {"grader": grader(name, grade)}
        again = score(
            log, refusal_scores(), action="overwrite", model_roles=roles, display="none"
        )
        paths.append(str(folder / f"{name}.eval"))
        write_eval_log(again, paths[-1])
    return paths


@pytest.fixture
def copies(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the scored copies, which no test changes, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return scored


def read(path: str) -> Run:
    return refusal_runs([path])[0]


def test_scored_copies_are_compared(copies: list[str]) -> None:
    logs = [read(path) for path in copies]
    pairs, alpha = grader_agreement(logs)
    same, different, _ = pairs
    assert (same["n"], same["equal"], same["n graded"]) == (24, 1.0, 24)
    assert same["rank correlation"] == pytest.approx(1.0)
    assert math.isnan(same["kappa"])  # both call everything an answer: no variance
    assert (different["equal"], different["n graded"]) == (0.5, 12)
    assert alpha < 0.5
    result = CliRunner().invoke(main, ["audit", *copies])
    assert result.exit_code == 0, result.output
    assert "mockllm/c" in result.output


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
        "c.json: graders"
        in run(main, ["audit", copies[2], "--calibration", "c.json"]).output
    )


def test_a_sheet_that_people_filled_in_is_not_drawn_over(
    copies: list[str], tmp_path: Path
) -> None:
    sheet = filled(tmp_path / "sheet.csv", "a")
    read_by_people = sheet.read_bytes()
    result = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "sheet.csv", "--n", "2"]
    )
    assert result.exit_code == 1
    assert "sheet.csv is filled in" in result.output
    assert sheet.read_bytes() == read_by_people
    blank = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "blank.csv", "--n", "2"]
    )
    again = CliRunner().invoke(
        main, ["audit", copies[2], "--draw", "blank.csv", "--n", "3"]
    )
    assert (blank.exit_code, again.exit_code) == (0, 0), again.output


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


def filled(path: Path, *ids: str) -> Path:
    lines = [f"{name},q,r,x,answer,no\n" for name in ids]
    path.write_text(f"id,question,references,reply,label,correct\n{''.join(lines)}")
    return path


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
