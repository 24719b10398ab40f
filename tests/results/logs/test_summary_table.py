"""`refusalbench show`: one table per task, fitted to the terminal, with what a log has."""

import math
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.logs.show import GENERATION, REFUSAL, Summary
from refusalbench_tasks.results.logs.summary_table import long_table, tables
from refusalbench_tasks.solvers.baselines import extractive, oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.terminal import one_line

RATES = {"answer_accuracy": 0.5, "answer_accuracy_n": 12, "answer_accuracy_ci_low": 0.2, "answer_accuracy_ci_high": 0.8}


def summary(name: str = "openai/gpt-4o", **changes: Any) -> Summary:
    made: dict[str, Any] = {
        "name": name, "layout": REFUSAL, "status": "success", "samples": 12, "completed": 12, "metrics": RATES,
        "task": "nq", "data": "sample", "fingerprint": "f" * 16,
    }  # fmt: skip
    return Summary(**(made | changes))


def show(*paths: Path) -> Result:
    return CliRunner().invoke(main, ["show", *map(str, paths)])


def test_tasks_and_data_have_tables_of_their_own() -> None:
    shown = tables([summary(), summary(task="garage"), summary(fingerprint="a" * 16), summary("openai/o3")])
    heads = [line for line in shown.splitlines() if " on sample, rows " in line]
    assert heads == [
        "nq on sample, rows ffffffff (2 columns)",
        "garage on sample, rows ffffffff (1 column)",
        "nq on sample, rows aaaaaaaa (1 column)",
    ]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("models", [3, 6])
def test_tables_fit_the_width_and_models_are_rows_where_there_are_many(models: int, width: int) -> None:
    names = [f"openai-api/fake/meta-llama/Llama-3.{k}-70B-Instruct" for k in range(models)]
    shown = tables([summary(name) for name in names], width)
    assert max(map(len, shown.splitlines())) <= width
    rows = [line for line in shown.splitlines() if line.startswith("Llama-3.1-70B-Instruct ")]
    assert bool(rows) == (models > 4)
    assert "openai-api" not in shown


def test_scores_that_were_added_name_their_judge() -> None:
    shown = tables([summary(), summary(again=True, judge="openai/gpt-4.1")])
    assert "gpt-4o (judge: openai/gpt-4.1)" in shown
    twice = tables([summary(), summary()])
    assert "gpt-4o #1" in twice
    assert "gpt-4o #2" in twice


def test_calibration_controls_and_reasons_are_shown_where_a_log_has_them(tmp_path: Path) -> None:
    task = nq(data="sample", per_stratum=1, controls="add", confidence=True, judge="offline")
    eval(task, model="none", solver=extractive(confidence="CONFIDENT"), log_dir=str(tmp_path), display="none")
    output = show(tmp_path).output
    for line in ("ece", "brier", "control_answer_accuracy", "control_false_refusal_rate", "n_undecided_offline"):
        assert f"\n{line} " in output
    plain = tables([summary()])
    assert "ece" not in plain
    assert "control" not in plain


def test_the_composite_of_grounded_answers_is_shown_beside_its_parts(tmp_path: Path) -> None:
    task = garage(data="sample", judge="offline")
    eval(task, model="none", solver=oracle(), log_dir=str(tmp_path), display="none")
    shown = {line.split()[0]: line for line in show(tmp_path).output.splitlines() if line.strip()}
    # 12 answers and 24 refusals, all right
    assert (shown["hybrid_score"].split()[1], shown["hybrid_score"].split()[-1]) == ("1.000", "n=36")
    assert (shown["answer_quality"].split()[1], shown["answer_quality"].split()[-1]) == ("1.000", "n=12")
    assert "eligibility" not in shown  # which no judge saw
    assert "hybrid" not in tables([summary()])


def test_a_run_of_controls_alone_shows_them(tmp_path: Path) -> None:
    task = nq(data="sample", controls="only", judge="offline")
    eval(task, model="none", solver=oracle(), log_dir=str(tmp_path), display="none")
    (line,) = [one for one in show(tmp_path).output.splitlines() if one.startswith("control_answer_accuracy")]
    assert "1.000 [" in line
    assert "n=0" not in line


def test_generation_logs_have_a_table(tmp_path: Path) -> None:
    metrics = {"acceptance": 0.25, "acceptance_n": 8, "yield": 0.5, "yield_n": 324, "n_items": 4, "n_accepted": 2}
    shown = tables([summary(task="perturb", layout=GENERATION, metrics=metrics)])
    assert "0.250 n=8" in shown
    assert "0.500 n=324" in shown


def test_a_name_cannot_steer_the_terminal() -> None:
    evil = "m\x1b[2J\r\nnq on forged\u202e\x9b31m"
    shown = tables([summary(evil, task=evil)])
    assert not any(unicodedata.category(one) in ("Cc", "Cf") and one != "\n" for one in shown)
    assert not any(line.startswith("nq on forged") for line in shown.splitlines())
    assert one_line(evil) == "m [2J nq on forged 31m"
    assert DataError(f"bad {evil}").format_message().count("\x1b") == 0


def test_what_is_undefined_says_so() -> None:
    assert "undefined" in tables([summary(metrics={"answer_accuracy": math.nan})])


def test_what_a_stopped_run_never_asked_is_not_called_an_error() -> None:
    stopped = summary("openai/o3", status="cancelled", completed=5)
    whole, alone, both = (tables(runs) for runs in ([summary()], [stopped], [summary(completed=11), stopped]))
    assert "\nerrors  " in whole
    assert re.search(r"\nerrors or not run +7 of 12 \(cancelled\)", alone)
    assert re.search(r"\nerrors or not run +1 of 12 \(success\) +7 of 12 \(cancelled\)", both)
    assert [row["metric"] for row in long_table([summary(), stopped]).rows if "error" in row["metric"]] == [
        "errors",
        "errors or not run",
    ]
