"""Accuracies by what thinking took."""

from pathlib import Path
from typing import Any

from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage

from refusalbench_tasks.report.figures import traits
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.taxonomy import Label
from tests.report.figures.drawn import low, shown
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
