"""Published numbers beside logs."""

import inspect
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalMetric, EvalResults, EvalScore, EvalSpec

from refusalbench_tasks.bluff import bluff
from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.garage import garage
from refusalbench_tasks.metrics.refusal import METRICS
from refusalbench_tasks.nq import nq
from refusalbench_tasks.published.papers import published_papers
from refusalbench_tasks.published.reproduction import Reproduced, read_headers, reproduce, without_a_place
from refusalbench_tasks.taxonomy import Label
from tests.logs.synthetic import row as sample
from tests.logs.synthetic import write_log

PAPERS = published_papers()


NQ_ARGS = {name: one.default for name, one in inspect.signature(nq).parameters.items()}
BLUFF_ARGS = {name: one.default for name, one in inspect.signature(bluff).parameters.items()}
AS_PUBLISHED = BLUFF_ARGS | {"protocol": "official-code", "official_lists": "hub"}


def header(
    model: str,
    values: dict[str, float],
    data: str = "hub",
    created: str = "2026-01-01T00:00:00+00:00",
    task: str = "nq",
    args: dict[str, Any] | None = None,
    config: EvalConfig | None = None,
    done: int = 1600,
    params: dict[str, Any] | None = None,
    **facts: Any,
) -> EvalLog:
    spec = EvalSpec(
        created=created, task=f"refusalbench_tasks/{task}", model=model, task_args=NQ_ARGS if args is None else args,
        metadata={"data": data, "selected_rows": 1600} | facts, dataset=EvalDataset(), config=config or EvalConfig(),
    )  # fmt: skip
    metrics = {name: EvalMetric(name=name, value=value) for name, value in values.items()}
    name = "hedging_scores" if task == "bluff" else "refusal_scores"
    score = EvalScore(name=name, scorer=name, metrics=metrics, params=params or {})
    results = EvalResults(scores=[score], completed_samples=done, total_samples=done)
    return EvalLog(status="success", eval=spec, results=results)


def bluff_rows(args: dict[str, Any] | None = None, model: str = "Llama-3.3", **facts: Any) -> dict[str, Reproduced]:
    """Return what a log of `bluff` with every number of Figure 2 reproduces of one model."""
    rows = [row for paper in PAPERS for row in paper.rows if row.task == "bluff" and row.model == model]
    values = {row.metric: row.value for row in rows}
    values |= {f"{row.metric}_ci_{end}": row.value + by for row in rows for end, by in (("low", -0.1), ("high", 0.1))}
    values |= {"refusal_n": 900.0, "pairs_n": 400.0}
    given = {"done": 1000, "selected_rows": 1000} | facts
    log = header("x/m", values, task="bluff", args=args or AS_PUBLISHED, **given)
    return {one.row.metric: one for one in reproduce(PAPERS, [log], {"x/m": model}) if one.row in rows}


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
    for paper in PAPERS:
        metrics, models = ({getattr(row, name) for row in paper.rows} for name in ("metric", "model"))
        assert set(paper.replies) <= models
        for setting in paper.settings:
            assert set(setting.metrics) <= metrics
            assert set(setting.models) <= models


def test_every_setting_is_an_argument_of_the_tasks() -> None:
    for paper in PAPERS:
        tasks = (bluff,) if paper.paper.startswith("BLUFF") else (nq, garage)
        arguments = {name for task in tasks for name in inspect.signature(task).parameters} | {"official_lists"}
        assert {setting.name for setting in paper.settings} <= arguments


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
    assert found(header("openai/gpt-4o", values, data="sample"))["false_refusal_rate"].differences == ("data=sample",)
    assert found(header("openai/gpt-4o", values))["category_accuracy"].reading == "undefined"


def test_the_newest_log_counts_and_a_model_can_be_named() -> None:
    old, new = {"false_refusal_rate": 0.1}, {"false_refusal_rate": 0.2}
    logs = [header("x/y", new, created="2026-02-01T00:00:00+00:00"), header("x/y", old)]
    assert found(*logs, names={"x/y": "GPT-4o"})["false_refusal_rate"].measured == 0.2
    with pytest.raises(DataError, match="unknown published model 'GPT-9'"):
        reproduce(PAPERS, logs, {"x/y": "GPT-9"})


def test_protocol_lists_and_confidence_decide_what_a_log_can_reproduce() -> None:
    assert {one.reading for one in bluff_rows(AS_PUBLISHED | {"ptrue": "sample", "ptrue_samples": 5}).values()} == {
        "consistent"
    }
    ours = bluff_rows(BLUFF_ARGS)
    assert {one.reading for one in ours.values()} == {"not comparable"}
    assert ours["asi"].differences == (
        "protocol=paper", "without official_lists", "ptrue=logprob", "ptrue_samples=10",
    )  # fmt: skip
    assert ours["vui"].differences == ("protocol=paper", "without official_lists")
    # refusals rest on no list and on no confidence
    assert ours["refusal_sensitivity"].differences == ("protocol=paper",)
    assert bluff_rows(params={"protocol": "paper"})["refusal_count"].differences == ("protocol=paper",)
    assert bluff_rows(AS_PUBLISHED | {"topics": "law"})["vui"].differences == ("topics=law",)
    assert ours["refusal_count"].n == 900


def test_the_number_of_rows_decides() -> None:
    limited = bluff_rows(config=EvalConfig(limit=49), done=49)["vui"]
    assert limited.differences == ("limit=49", "49 of 1000 rows run")
    assert limited.reading == "not comparable"
    # published on 359 questions
    assert bluff_rows(model="GPT-4o")["vui"].differences == ("published on 718 rows, run on 1000",)
    assert bluff_rows(selected_rows=None)["vui"].differences == ("number of rows unknown",)
    assert bluff_rows(config=EvalConfig(epochs=2), done=2000)["vui"].differences == ()


def test_a_released_file_at_a_path_counts() -> None:
    assert bluff_rows(data="/x.json", blob=RELEASED.blob)["vui"].reading == "consistent"
    assert bluff_rows(data="/x.json", blob="0" * 40)["vui"].differences == ("other data",)
    values = {"false_refusal_rate": 0.63}
    own, hub = header("openai/gpt-4o", values, "/x", fingerprint="f"), header("openai/o4-mini", {}, fingerprint="f")
    assert found(own)["false_refusal_rate"].differences == ("data unknown: no data=hub log beside it",)
    assert found(own, hub)["false_refusal_rate"].differences == ()
    own = header("openai/gpt-4o", values, "/x", fingerprint="g")
    assert found(own, hub)["false_refusal_rate"].differences == ("other data",)


def test_a_model_that_no_published_one_stands_for_is_named() -> None:
    headers = [header("openai/gpt-4o-2024-08-06", {}, task=task) for task in ("nq", "bluff")]
    assert without_a_place(PAPERS, headers) == ["openai/gpt-4o-2024-08-06 (bluff)"]
    assert without_a_place(PAPERS, headers, {"openai/gpt-4o-2024-08-06": "GPT-4o"}) == []


def test_nothing_that_can_be_read_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["reproduce", str(tmp_path)])
    assert (result.exit_code, len(result.output.splitlines())) == (1, 1)
    assert f"{tmp_path}: no finished run of nq, garage or bluff" in result.output
    (tmp_path / "x.eval").write_bytes(b"no log")
    result = CliRunner().invoke(main, ["reproduce", str(tmp_path)])
    assert (result.exit_code, len(result.output.splitlines())) == (1, 1)
    assert "1 left out, the first because: not a readable log" in result.output


def test_what_is_left_out_is_told_and_hides_nothing(tmp_path: Path) -> None:
    write_log(tmp_path, "openai/gpt-4o", [sample("1", Label.MISSING)])
    write_log(tmp_path, "openai/gpt-4.1", [sample("1", Label.MISSING)], status="error")
    (tmp_path / "x.eval").write_bytes(b"no log")
    headers = read_headers([str(tmp_path)])
    assert [one.eval.model for one in headers.used] == ["openai/gpt-4o"]
    assert [reason.partition(" (")[0] for _, reason in headers.left_out] == [
        "an unfinished run",
        "not a readable log of this suite",
    ]
    result = CliRunner().invoke(main, ["reproduce", str(tmp_path)])
    assert result.exit_code == 0
    assert "Warning: left out: x.eval: not a readable log" in result.output
    assert "data=sample" in result.output


def test_without_logs_it_lists_what_each_number_needs(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["reproduce", "--csv", str(tmp_path / "table.csv")])
    assert result.exit_code == 0, result.output
    assert result.output.count("needs a log") == sum(len(paper.rows) for paper in PAPERS)
    assert "no ambiguous arm" in result.output
    assert (tmp_path / "table.csv").read_text().startswith("paper,task,model")
    assert CliRunner().invoke(main, ["reproduce", "--as", "x"]).exit_code == 1
