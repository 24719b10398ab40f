"""Logs of `question` and `collect` in `show`, in a report, and beside runs of other tasks."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from inspect_ai.log import EvalMetric, EvalScore, read_eval_log, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.logs.closing_table import closing_lines
from tests.results.logs.synthetic import row, write_log

OF_QUESTIONS = {
    "n_chunks": 4, "n_chunks_unscored": 0, "n_questions": 5, "n_accepted": 3, "acceptance": 0.75, "acceptance_n": 4,
    "acceptance_low": 0.6, "acceptance_high": 0.8, "acceptance_bounds_n": 5, "yield": 0.75, "yield_n": 4,
    "calls": 21, "calls_per_accepted": 7, "rejected/reader_other_answer": 1, "undecided/reader_failed": 1, "rule/x": 0,
}  # fmt: skip
OF_RECORDS = {
    "n_records": 2, "n_accepted": 1, "acceptance": 0.5, "acceptance_n": 2, "yield": 0.5, "yield_n": 2,
    "searches": 9, "rejected/panel/<b>settled</b>": 1, "left_out/robots": 3,
}  # fmt: skip


def made(folder: Path, task: str, scorer: str, metrics: dict[str, float], status: str = "success") -> Path:
    path = write_log(
        folder, f"mockllm/{task}", [row("a", None)], task=task, scorer=scorer, status=status, data="corpus.jsonl"
    )
    log = read_eval_log(str(path))
    assert log.results
    known = {name: EvalMetric(name=name, value=value) for name, value in metrics.items()}
    log.results.scores = [EvalScore(name=scorer, scorer=scorer, metrics=known)]
    write_eval_log(log, str(path))
    return path


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    made(folder, "question", "question_scores", OF_QUESTIONS)
    made(folder, "collect", "collection_scores", OF_RECORDS)
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def lines_of(table: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in table.splitlines() if len(line.split()) > 1}


def test_show_has_their_numbers_with_n_and_what_came_of_the_rest(logs: Path) -> None:
    said = run("show", str(logs))
    assert said.exit_code == 0, said.output
    questions, records = (lines_of(part) for part in said.stdout.split("collect on corpus.jsonl"))
    assert "question on corpus.jsonl" in said.stdout
    assert questions["acceptance_low"] == ["0.600", "n=5"]
    assert questions["calls_per_accepted"] == ["7.000", "n=3"]
    assert questions["rejected/reader_other_answer"] == ["1"]
    assert records["left_out/robots"] == ["3"]
    assert "rule/x" not in questions  # nothing came of it
    rows = csv.DictReader(run("show", str(logs), "--format", "csv").stdout.splitlines())
    known = {(one["task"], one["metric"]): (one["value"], one["n"]) for one in rows}
    assert known["question", "undecided/reader_failed"] == ("1", "")
    assert known["collect", "yield"] == ("0.5", "2")


def test_the_closing_table_of_a_run_has_the_same_lines(logs: Path) -> None:
    results = read_eval_log(str(logs / "0.eval")).results
    assert results
    (score,) = results.scores
    assert ("acceptance", "0.750", "", "n=4") in closing_lines(score)
    assert ("rejected/reader_other_answer", "1", "", "") in closing_lines(score)


def test_a_report_has_a_section_of_each_alone_and_beside_other_runs(logs: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    alone = run("report", str(logs), "-o", str(tmp_path / "alone"))
    assert alone.exit_code == 0, alone.output
    assert "2 runs" in alone.output
    page = (tmp_path / "alone" / "index.html").read_text()
    assert "1 of question, 1 of collect" in page or "1 of collect, 1 of question" in page
    assert "rejected/reader_other_answer" in page
    assert "<b>settled</b>" not in page
    table = json.loads((tmp_path / "alone" / "tables" / "question-yields.json").read_text())
    assert table[0]["question on corpus.jsonl, rows f"] == "acceptance"
    used = json.loads((tmp_path / "alone" / "tables" / "report-logs.json").read_text())
    assert [(one["task"], one["used"]) for one in used] == [("question", "yes"), ("collect", "yes")]


def test_a_gate_and_a_comparison_say_that_there_is_no_run_for_them(logs: Path) -> None:
    held = run("gate", str(logs), "--max", "false_refusal_rate=0.1")
    assert (held.exit_code, "no log of nq, garage or bluff" in held.output) == (2, True)
    compared = run("compare", str(logs))
    assert compared.exit_code == 1
    assert "no finished run" in compared.output


def test_an_unfinished_one_is_named_and_costs_the_others_nothing(logs: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    made(logs, "question", "question_scores", OF_QUESTIONS, status="started")
    told = run("report", str(logs), "-o", str(tmp_path / "page"))
    assert told.exit_code == 0
    assert "2 runs" in told.output
    assert "left out" in told.stderr
