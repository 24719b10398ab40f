"""Accuracies by what thinking took, by size and by tuning."""

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage

from refusalbench_tasks.report.charts import Curves, Figure
from refusalbench_tasks.report.figures import traits
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.taxonomy import Label
from tests.report.figures.drawn import group, low, shown
from tests.results.synthetic import row, write_log

A = Label.ANSWER
M = Label.MISSING


def test_thinking_is_told_by_the_tokens_that_it_took(tmp_path: Path) -> None:
    def thought(tokens: int, right: bool, **asked: Any) -> None:
        samples = [row("1", M if right else A), low("2", A)]
        for sample in samples:
            graded = ModelUsage(input_tokens=5, output_tokens=40, total_tokens=45)
            sample.role_usage = {"grader": graded}
            sample.model_usage = {
                "m": graded + ModelUsage(output_tokens=tokens, total_tokens=tokens)
            }
        roles = {"grader": ModelConfig(model="m")}
        write_log(
            tmp_path, "m", samples, generate=GenerateConfig(**asked), model_roles=roles
        )

    thought(700, True, reasoning_tokens=1024)
    thought(8, False)
    thought(300, False, reasoning_effort="high")
    (of,) = groups_of(read_logs([str(tmp_path)]).runs)
    points = shown(traits.thinking(of)).lines["m: refusal accuracy"]
    assert [(point.x.value, point.y.value) for point in points] == [
        (8, 0),
        (300, 0),
        (700, 1),
    ]


def replies(refused: int) -> list[EvalSample]:
    """Return answerable and unanswerable rows, of which some are refused."""
    return [row(str(k), M if k < refused else A) for k in range(4)] + [low("4", A)]


MODELS = {
    "vllm/allenai/OLMo-2-0425-1B-DPO": replies(0),
    "vllm/allenai/OLMo-2-1124-7B-SFT": replies(1),
    "vllm/allenai/OLMo-2-1124-7B-DPO": replies(2),
    "vllm/allenai/OLMo-2-0325-32B-DPO": replies(3),
    "hf/meta-llama/Llama-3.1-8B-Instruct": replies(2),
    "openai/gpt-4o": replies(4),
}


def line(chart: Curves, name: str) -> list[tuple[str, float]]:
    points = chart.lines[f"{name}: refusal accuracy"]
    return [(chart.ticks[int(point.x.value)], point.y.value) for point in points]


def test_sizes_of_one_family_and_tuning_are_a_line(tmp_path: Path) -> None:
    figure = traits.by_size(group(tmp_path, MODELS))
    chart = shown(figure)
    assert list(chart.lines) == [
        "OLMo-2 DPO: answer accuracy",
        "OLMo-2 DPO: refusal accuracy",
    ]
    assert line(chart, "OLMo-2 DPO") == [("1B", 0), ("7B", 0.5), ("32B", 0.75)]


def test_tunings_of_one_size_are_a_line(tmp_path: Path) -> None:
    chart = shown(traits.by_tuning(group(tmp_path, MODELS)))
    assert list(chart.ticks) == ["SFT", "DPO"]
    assert line(chart, "OLMo-2 7B") == [("SFT", 0.25), ("DPO", 0.5)]


def test_a_model_of_unknown_size_is_left_out_and_named(tmp_path: Path) -> None:
    of = group(tmp_path, MODELS)
    for figure in (traits.by_size(of), traits.by_tuning(of)):
        assert isinstance(figure, Figure)
        assert figure.formula.endswith("because their size is not known: gpt-4o")
    unknown = group(tmp_path / "more", {"x/a-7b": replies(1), "x/b-70b": replies(2)})
    told = traits.by_size(unknown)
    assert isinstance(told, str)
    assert told.endswith("because their size is not known: a-7b, b-70b")
