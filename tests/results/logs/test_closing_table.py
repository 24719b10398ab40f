"""The end of `inspect eval`: the numbers that people read, while the log holds every number."""

import math
import sys
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import EvalMetric, EvalScore
from rich.console import Console

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.logs.closing_table import (
    NAME,
    PRINTERS,
    closing_lines,
    short_closing_table,
    short_tables,
)
from refusalbench_tasks.results.logs.every_number import every_number
from refusalbench_tasks.results.logs.show import REFUSAL, Summary
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.nq import nq

NAN = math.nan
RESULTS = "inspect_ai._display.core.results"


def score(name: str, **metrics: float) -> EvalScore:
    return EvalScore(name=name, scorer=name, metrics={k: EvalMetric(name=k, value=v) for k, v in metrics.items()})


OURS = score(
    "refusal_scores", answer_accuracy=0.5, answer_accuracy_n=12, answer_accuracy_ci_low=0.25,
    answer_accuracy_ci_high=0.75, answer_accuracy_stderr=0.1, false_refusal_rate=NAN, n_by_parse=12, n_by_judge=0,
    **{"HIGH/refusal_accuracy": 0.5},
)  # fmt: skip


def text(tables: list[Any]) -> str:
    console = Console(file=StringIO(), width=100)
    for table in tables:
        console.print(table)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_line_has_value_interval_and_n_and_counts_of_nothing_are_left_out() -> None:
    assert closing_lines(OURS) == [
        ("answer_accuracy", "0.500", "[0.250, 0.750]", "n=12"),
        ("false_refusal_rate", "undefined", "", ""),
        ("n_by_parse", "12", "", ""),
    ]


def test_scores_of_others_are_not_ours_and_frequencies_of_labels_are_hidden_beside_ours() -> None:
    others = [score("match", accuracy=1.0), score("refusal_label", ANSWER_CORRECTLY=0.2)]
    tables, rest = short_tables([*others, OURS])
    assert [one.name for one in rest] == ["match"]
    shown = text(tables)
    assert "answer_accuracy" in shown
    assert "HIGH/" not in shown
    assert "stderr" not in shown
    assert "ANSWER_CORRECTLY" not in shown
    assert "all 9 numbers: refusalbench show --all LOG" in shown
    # alone, a label's frequencies are all there is
    assert short_tables(others) == ([], others)


@pytest.fixture
def printers() -> Iterator[dict[str, Any]]:
    """Return Inspect's modules that print scores as they are without us; afterwards they are as before."""
    modules = {name: import_module(name) for name in PRINTERS}
    before = {name: getattr(module, NAME) for name, module in modules.items()}
    for name, module in modules.items():
        setattr(module, NAME, getattr(before[name], "__wrapped__", before[name]))
    yield modules
    for name, module in modules.items():
        setattr(module, NAME, before[name])


def test_both_tables_of_inspect_are_short_once_and_others_scores_are_as_ever(printers: dict[str, Any]) -> None:
    plain = {name: getattr(module, NAME) for name, module in printers.items()}
    whole = text(plain[RESULTS]([OURS]))
    assert "HIGH/refusal_accuracy" in whole
    short_closing_table()
    once = {name: getattr(module, NAME) for name, module in printers.items()}
    short_closing_table()
    for name, module in printers.items():
        assert getattr(module, NAME) is once[name] is not plain[name]
        assert "HIGH/" not in text(once[name]([OURS], pad_edge=True))
    other = [score("match", accuracy=1.0)]
    assert text(once[RESULTS](other)) == text(plain[RESULTS](other))


def test_what_can_not_be_shortened_is_printed_whole(printers: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    short_closing_table()
    monkeypatch.setattr("refusalbench_tasks.results.logs.closing_table.short_tables", lambda scores: 1 / 0)
    assert "HIGH/refusal_accuracy" in text(getattr(printers[RESULTS], NAME)([OURS]))


def test_an_inspect_that_prints_otherwise_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PRINTERS:
        monkeypatch.setitem(sys.modules, name, object())
    short_closing_table()
    assert all(not hasattr(sys.modules[name], NAME) for name in PRINTERS)


def test_a_row_of_every_number_has_its_interval_and_counts_are_whole() -> None:
    metrics = {name: metric.value for name, metric in OURS.metrics.items()} | {"HIGH/n": 4.0}
    rows = every_number([Summary("openai/gpt-4o", REFUSAL, "success", 12, 12, metrics, "nq")]).rows
    assert [row["metric"] for row in rows] == [
        "answer_accuracy", "false_refusal_rate", "n_by_parse", "n_by_judge", "HIGH/refusal_accuracy", "HIGH/n",
    ]  # fmt: skip
    assert rows[0] == {
        "task": "nq", "run": "gpt-4o", "model": "openai/gpt-4o", "metric": "answer_accuracy", "value": 0.5,
        "95 % low": 0.25, "95 % high": 0.75, "standard error": 0.1, "bootstrap standard error": None, "n": 12,
    }  # fmt: skip
    assert [type(row["value"]) for row in rows[2:]] == [int, int, float, int]


def test_a_log_keeps_every_number_and_tells_what_its_rows_are(tmp_path: Path) -> None:
    task = nq(data="sample", per_stratum=1, judge="offline", classes="FalsePremise")
    (log,) = eval(task, model="none/none", solver=oracle(), display="none", log_dir=str(tmp_path))
    assert log.results
    assert log.samples
    assert log.eval.viewer
    metrics = log.results.scores[1].metrics
    assert {"refusal_accuracy_ci_low", "HIGH/refusal_accuracy", "refusal_accuracy_stderr"} <= metrics.keys()
    assert [one.name for one in log.results.scores] == ["refusal_label", "refusal_scores"]
    facts = [sample.scores["row_facts"] for sample in log.samples if sample.scores]
    assert {fact.value["intensity"] for fact in facts if isinstance(fact.value, dict)} == {"LOW", "MEDIUM", "HIGH"}
    assert all((fact.explanation or "").partition("gold answers: ")[2] not in ("", "none") for fact in facts)
    view = log.eval.viewer.task_samples_view
    assert view
    assert not isinstance(view, list)
    names = [column.id.split("__")[1:] for column in view.columns or [] if column.id.startswith("score__")]
    scored = log.samples[0].scores or {}
    assert all(name == scorer or name in scored[scorer].value for scorer, name in names)  # type: ignore[operator]
    shown = CliRunner().invoke(main, ["show", "--all", str(tmp_path), "--format", "csv"]).output
    assert shown.count("\n") > 50
    assert "HIGH/refusal_accuracy" in shown


def test_the_arms_of_bluff_are_told_apart_in_the_list_of_samples() -> None:
    task = bluff(data="sample", per_topic=1, judge="offline", ptrue="none")
    assert task.viewer
    view = task.viewer.task_samples_view
    assert view
    assert not isinstance(view, list)
    assert {"score__row_facts__topic", "score__row_facts__arm"} <= {column.id for column in view.columns or []}
