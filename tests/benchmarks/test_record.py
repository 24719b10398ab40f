"""What a run replied is kept in a file, and scored from there it has
the same numbers.
"""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    TopLogprob,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from benchmarks.models_table import recordings, replayed
from benchmarks.real.record import record
from benchmarks.real.weights import OpenModel, open_models
from refusalbench_tasks import bluff, nq

MODEL = open_models()[0]


def letters(true: float, false: float) -> Logprobs:
    tops = [
        TopLogprob(token=token, logprob=math.log(p))
        for token, p in (("A", true), (" b", false), ("C", 0.01))
    ]
    return Logprobs(
        content=[Logprob(token="A", logprob=tops[0].logprob, top_logprobs=tops)]
    )


def reply(
    messages: list[ChatMessage],
    tools: list[ToolInfo],
    choice: ToolChoice,
    config: GenerateConfig,
) -> ModelOutput:
    size = len(messages[-1].text)
    text = "A" if config.logprobs else ("REFUSE_OTHER" if size % 3 else "I don't know")
    output = ModelOutput.from_content("mockllm/small", text)
    output.usage = ModelUsage(input_tokens=size, output_tokens=3, total_tokens=size + 3)
    if config.logprobs:
        output.choices[0].logprobs = letters(0.6 - size % 2 * 0.4, 0.3)
    return output


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the fake model pass for the smallest of the real ones."""
    monkeypatch.setattr(
        OpenModel, "inspect_name", property(lambda model: "mockllm/small")
    )


def numbers(log: EvalLog) -> dict[str, float]:
    """Return every metric of a log."""
    assert log.status == "success"
    assert log.results
    scores = log.results.scores
    return {
        f"{score.name} {name}": metric.value
        for score in scores
        for name, metric in score.metrics.items()
    }


def run(task: Any, logs: Path, **options: Any) -> dict[str, Any]:
    model = get_model("mockllm/small", custom_outputs=reply, memoize=False)
    [log] = eval(task, model=model, log_dir=str(logs), display="none", **options)
    return numbers(log)


@pytest.mark.parametrize(
    ("task", "options"),
    [
        (nq(data="sample", judge="offline", per_stratum=1), {}),
        (nq(data="worlds", n=8, judge="offline"), {"epochs": 2}),
        (bluff(data="sample", judge="offline"), {"limit": 8}),
    ],
    ids=["nq", "worlds", "bluff"],
)
def test_recorded_replies_have_the_numbers_of_their_run(
    task: Any, options: dict[str, Any], tmp_path: Path, models: None
) -> None:
    expected = run(task, tmp_path / "logs", **options)
    [path] = record(tmp_path / "logs", tmp_path / "replies")
    [recording] = recordings(tmp_path / "replies")
    assert recording.path == path
    assert recording.about["model"] == MODEL.title
    assert recording.about["weights_sha256"] == MODEL.sha256
    found = numbers(replayed(recording, tmp_path / "again"))
    assert found == pytest.approx(expected, nan_ok=True)
