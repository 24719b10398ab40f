"""Published numbers beside logs."""

import inspect
import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalMetric, EvalResults, EvalScore, EvalSpec
from inspect_ai.model import GenerateConfig

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.published.papers import published_papers
from refusalbench_tasks.results.published.reproduction import Reproduced, reproduce, without_a_place
from refusalbench_tasks.results.published.runs import read_headers
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.logs.synthetic import row as sample
from tests.results.logs.synthetic import write_log

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
    tokens: int | None = None,
    **facts: Any,
) -> EvalLog:
    spec = EvalSpec(
        created=created, task=f"refusalbench_tasks/{task}", model=model, task_args=NQ_ARGS if args is None else args,
        metadata={"data": data, "selected_rows": 1600} | facts, dataset=EvalDataset(), config=config or EvalConfig(),
        model_generate_config=GenerateConfig(reasoning_tokens=tokens),
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
    own = [one for one in rows if one.row.task == "nq" and one.row.model == "GPT-4o" and not one.row.subset]
    return {one.row.metric: one for one in own}


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
    write_log(tmp_path, "openai/gpt-4o", [sample("2026-01-01T00:00:00+00:00", Label.MISSING)])
    write_log(tmp_path, "openai/gpt-4.1", [sample("2026-01-01T00:00:00+00:00", Label.MISSING)], status="error")
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
    counts = [result.output.count(reading) for reading in ("needs a log", "needs a sheet")]
    assert counts == [sum(len(paper.rows) for paper in PAPERS) - 14, 14]
    assert "no ambiguous arm" in result.output
    assert (tmp_path / "table.csv").read_text().startswith("paper,task,model")
    assert CliRunner().invoke(main, ["reproduce", "--as", "x"]).exit_code == 1


def one_row(*headers: EvalLog, model: str, label: str, task: str = "nq", where: str = "") -> Reproduced:
    (found,) = [
        one
        for one in reproduce(PAPERS, headers)
        if (one.row.task, one.row.model, one.row.label) == (task, model, label) and where in one.row.where
    ]
    return found


def test_a_bound_is_met_unless_the_whole_interval_lies_beyond_it() -> None:
    def reading(low: float, high: float) -> str:
        key = "P-FalsePremise/refusal_accuracy"
        values = {key: (low + high) / 2, f"{key}_ci_low": low, f"{key}_ci_high": high}
        return one_row(header("openai/gpt-4o", values), model="GPT-4o", label=key).reading

    # printed: < .52
    assert [reading(0.1, 0.2), reading(0.5, 0.6), reading(0.53, 0.6)] == ["consistent", "consistent", "not consistent"]


def test_numbers_about_the_rows_are_counted_on_any_log_and_need_no_settings() -> None:
    def rows(value: float, **given: Any) -> Reproduced:
        values = {"n_answerable": 536.0, "n_unanswerable": value - 536}
        log = header("none/none", values, args=NQ_ARGS | {"judge": "offline", "prompt": "mine.txt"} | given)
        return one_row(log, model="data set", label="rows")

    assert (rows(1600).measured, rows(1600).reading, rows(1599).reading) == (1600, "consistent", "not consistent")
    assert rows(1600, classes="P-Ambiguity").differences == ("classes=P-Ambiguity",)


def test_a_number_that_follows_from_several_metrics() -> None:
    log = header("openai/gpt-4o", {"false_refusal_rate": 0.6, "missed_refusal_rate": 0.05})
    ratio = one_row(log, model="GPT-4o", label="false_to_missed_ratio")
    assert ratio.measured == pytest.approx(12)
    assert ratio.reading == "no interval"
    none_missed = header("openai/gpt-4o", {"false_refusal_rate": 0.6, "missed_refusal_rate": 0.0})
    assert one_row(none_missed, model="GPT-4o", label="false_to_missed_ratio").reading == "undefined"


def test_numbers_over_models_say_how_many_there_are() -> None:
    rates = {"openai/gpt-4o": (0.6, 0.1), "openai/o4-mini": (0.2, 0.3), "openai/gpt-4.1": (0.4, 0.2)}
    logs = [
        header(model, {"false_refusal_rate": x, "missed_refusal_rate": y, "refusal_accuracy": x})
        for model, (x, y) in rates.items()
    ]
    best = one_row(*logs, model="all models", label="highest refusal_accuracy")
    assert (best.measured, best.reading, best.differences) == (0.6, "not comparable", ("3 of 9 models",))
    # on a falling line
    r = one_row(*logs, model="all models", label="correlation of false_refusal_rate and missed_refusal_rate")
    assert r.measured == pytest.approx(-1)


def test_a_ratio_of_two_models_needs_both_of_them() -> None:
    small, large = (
        header(f"vllm/meta-llama/Llama-3.1-{size}-Instruct", {"refusal_accuracy": value})
        for size, value in (("8B", 0.1), ("70B", 0.25))
    )
    both = one_row(large, small, model="Llama-3.1 8B to 70B", label="ratio refusal_accuracy")
    assert both.measured == pytest.approx(2.5)
    assert both.differences == ()
    assert one_row(small, model="Llama-3.1 8B to 70B", label="ratio refusal_accuracy").reading == "needs a log"


def test_thinking_tokens_tell_runs_of_one_model_apart() -> None:
    name = "anthropic/claude-sonnet-4-20250514"
    given = ((None, 0.7, 0.5), (1024, 0.72, 0.6), (4096, 0.8, 0.55))
    every = [
        header(name, {"refusal_accuracy": r, "answer_accuracy": a}, tokens=tokens, created=f"2026-01-0{k}T00:00+00:00")
        for k, (tokens, r, a) in enumerate(given, 1)
    ]

    def row(label: str, *logs: EvalLog) -> Reproduced:
        return one_row(*logs, model="Claude-4-Sonnet", label=label)

    # newer runs that think do not take the place of the one that does not
    assert row("refusal_accuracy", *every).measured == 0.7
    assert row("answer_accuracy (4096 thinking tokens)", *every).measured == 0.55
    assert row("gain refusal_accuracy (1024 thinking tokens)", *every).measured == pytest.approx(0.02)
    assert row("gain refusal_accuracy (1024 thinking tokens)", *every[1:]).reading == "needs a log"
    assert row("refusal_accuracy", every[2]).differences == ("reasoning_tokens=4096",)


def test_a_cell_of_class_and_intensity_is_counted_in_the_rows(tmp_path: Path) -> None:
    one = PerturbationClass.GRANULARITY
    replies = [Label.GRANULARITY, Label.MISSING, Label.MISSING, Label.MISSING]
    samples = [sample(str(k), said, one, Intensity.MEDIUM) for k, said in enumerate(replies)]
    samples.append(sample("5", Label.GRANULARITY, one, Intensity.HIGH))
    write_log(tmp_path, "anthropic/claude-sonnet-4-0", samples)
    (log,) = read_headers([str(tmp_path)]).used
    found = one_row(log, model="Claude-4-Sonnet", label=f"{one.value} MEDIUM/refusal_accuracy")
    assert (found.measured, found.n) == (1 / 4, 4)
    assert found.low < 1 / 4 < found.high


def test_available_hides_what_the_logs_say_nothing_about(tmp_path: Path) -> None:
    # without any metric in the header, the one number that is counted in the rows is what this log tells
    one = PerturbationClass.GRANULARITY
    write_log(
        tmp_path,
        "anthropic/claude-sonnet-4-0",
        [sample("2026-01-01T00:00:00+00:00", Label.GRANULARITY, one, Intensity.MEDIUM)],
    )
    for option in ("--available", "--measured"):
        result = CliRunner().invoke(main, ["reproduce", str(tmp_path), option, "--format", "json"])
        (row,) = json.loads(result.stdout)["reproduction"]
        assert (row["metric"], row["measured"]) == ("P-GranularityMismatch MEDIUM/refusal_accuracy", 1.0)
