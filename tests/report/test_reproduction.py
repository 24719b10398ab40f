"""Published numbers beside logs."""

import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalMetric, EvalResults, EvalScore, EvalSpec

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.refusal import METRICS
from refusalbench_tasks.report.papers import published_papers
from refusalbench_tasks.report.reproduction import Reproduced, reproduce

PAPERS = published_papers()


def header(
    model: str, values: dict[str, float], data: str = "hub", created: str = "2026-01-01T00:00:00+00:00"
) -> EvalLog:
    spec = EvalSpec(
        created=created, task="refusalbench_tasks/nq", model=model, metadata={"data": data},
        dataset=EvalDataset(), config=EvalConfig(),
    )  # fmt: skip
    metrics = {name: EvalMetric(name=name, value=value) for name, value in values.items()}
    score = EvalScore(name="refusal_scores", scorer="refusal_scores", metrics=metrics)
    return EvalLog(status="success", eval=spec, results=EvalResults(scores=[score]))


def found(*headers: EvalLog, names: dict[str, str] | None = None) -> dict[str, Reproduced]:
    rows = reproduce(PAPERS, headers, names)
    return {one.row.metric: one for one in rows if one.row.task == "nq" and one.row.model == "GPT-4o"}


def test_every_published_number_names_a_known_metric_and_model() -> None:
    assert {paper.paper for paper in PAPERS} == {"BLUFF-1000", "RefusalBench (arXiv 2510.10390)"}
    for paper in PAPERS:
        assert {row.model for row in paper.rows} <= set(paper.models)
        assert set(paper.notes) <= {"all", *paper.models}
    refusal = {row.metric for paper in PAPERS if "Refusal" in paper.paper for row in paper.rows}
    assert {name for name in refusal if "/" not in name} <= {*METRICS, "ece", "answer_quality"}


@pytest.mark.parametrize(
    ("low", "high", "reading"),
    [(0.6, 0.65, "consistent"), (0.7, 0.8, "not consistent"), (math.nan, math.nan, "no interval")],
)
def test_a_number_is_consistent_if_it_lies_in_the_interval(low: float, high: float, reading: str) -> None:
    values = {"false_refusal_rate": 0.63, "false_refusal_rate_ci_low": low, "false_refusal_rate_ci_high": high}
    one = found(header("openai/gpt-4o", values))["false_refusal_rate"]
    assert (one.row.value, one.measured, one.reading) == (0.628, 0.63, reading)


def test_other_models_and_other_data_are_not_taken_for_the_published_ones() -> None:
    values = {"false_refusal_rate": 0.63}
    assert found(header("openai/gpt-4o-mini", values))["false_refusal_rate"].reading == "needs a log"
    assert found(header("openai/gpt-4o", values, data="sample"))["false_refusal_rate"].reading == "other data"
    assert found(header("openai/gpt-4o", values))["category_accuracy"].reading == "undefined"


def test_the_newest_log_counts_and_a_model_can_be_named() -> None:
    old, new = {"false_refusal_rate": 0.1}, {"false_refusal_rate": 0.2}
    logs = [header("x/y", new, created="2026-02-01T00:00:00+00:00"), header("x/y", old)]
    assert found(*logs, names={"x/y": "GPT-4o"})["false_refusal_rate"].measured == 0.2
    with pytest.raises(DataError, match="unknown published model 'GPT-9'"):
        reproduce(PAPERS, logs, {"x/y": "GPT-9"})


def test_without_logs_it_lists_what_each_number_needs(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["reproduce", "--csv", str(tmp_path / "table.csv")])
    assert result.exit_code == 0, result.output
    assert result.output.count("needs a log") == sum(len(paper.rows) for paper in PAPERS)
    assert "no ambiguous arm" in result.output
    assert (tmp_path / "table.csv").read_text().startswith("paper,task,model")
    assert CliRunner().invoke(main, ["reproduce", "--as", "x"]).exit_code == 1
