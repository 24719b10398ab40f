"""Treatments beside the plain prompt, and a threshold that is chosen on one half and
reported on the other.
"""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.solver import Solver

from refusalbench_tasks import nq
from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.results.treatments import threshold_table
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from refusalbench_tasks.solvers.treatments.by_prompt import evidence_first, self_check
from tests.anxious import scripted


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for arm in (refusal_prompt(), evidence_first(), self_check()):
        run(arm, folder)
    return folder


def run(arm: Solver, folder: Path, confidence: bool = False) -> None:
    task = nq(data="sample", confidence=confidence, judge="offline")
    eval(task, model=scripted(), solver=arm, log_dir=str(folder), display="none")


def printed(*args: str) -> str:
    result = CliRunner().invoke(main, ["compare", *args])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_each_treatment_stands_beside_the_plain_prompt_with_paired_differences(
    logs: Path,
) -> None:
    tables = json.loads(printed(str(logs), "--format", "json"))
    arms = {row["treatment"]: row for row in tables["treatments"]}
    gaps = {
        (row["treatment"], row["metric"]): row
        for row in tables["treatment_differences"]
    }
    assert {name: arms[name]["calls a row"] for name in arms} == {
        "plain prompt": 1.0,
        "evidence_first": 1.0,
        "self_check": 3.0,
    }
    assert arms["plain prompt"]["false_refusal_rate"] == pytest.approx(10 / 24)
    better = gaps["evidence_first", "false_refusal_rate"]
    worse = gaps["self_check", "category_accuracy"]
    assert better["difference"] == pytest.approx(2 / 24 - 10 / 24)
    assert better["95 % high"] < 0
    assert worse["difference"] < 0
    assert arms["self_check"]["tokens a row"] > 2 * arms["plain prompt"]["tokens a row"]
    assert 0 < arms["evidence_first"]["p (Holm), right"] < 0.05


def test_a_threshold_is_reported_on_questions_that_did_not_choose_it(
    tmp_path: Path,
) -> None:
    run(refusal_prompt(confidence=True), tmp_path, confidence=True)
    [found] = read_logs([str(tmp_path)]).runs
    table = threshold_table(found)
    chosen, kept = (int(n) for n in re.findall(r"\d+", table.title))
    assert chosen + kept == 72
    # whoever answers here is right, so nothing is gained by holding back
    assert {row["answers below"] for row in table.rows} == {0.0}
    assert table.rows[:2] == table.rows[2:]
    assert f"on the {kept} rows" in printed(str(tmp_path), "--threshold")


def test_a_run_without_confidences_has_no_threshold(logs: Path) -> None:
    with pytest.raises(
        DataError,
        match="no answer has a stated confidence; run it with -T confidence=true",
    ):
        threshold_table(read_logs([str(logs)]).runs[0])


def test_a_treatment_is_no_newer_run_of_its_model(logs: Path) -> None:
    [group] = groups_of(read_logs([str(logs)]).runs)
    assert [system.label for system in group.models] == ["anxious"]
