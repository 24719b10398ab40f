"""CPU per sample of `nq` against a bare Inspect task over the same rows."""

import tempfile
import time
from statistics import median
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.prompting import fill
from refusalbench_tasks.prompting.refusal_template import prompt_text
from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt

ROWS = 400


def _model() -> Any:
    def reply(messages: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        output = ModelOutput.from_content(
            "mockllm/fake", "REFUSE_INFO_MISSING_IN_CONTEXT"
        )
        output.usage = ModelUsage(input_tokens=900, output_tokens=9, total_tokens=909)
        return output

    return get_model("mockllm/fake", custom_outputs=reply, memoize=False)


def _ours() -> Task:
    return Task(
        dataset=MemoryDataset([item.to_sample() for item in synthetic_items(ROWS)]),
        solver=refusal_prompt(),
        scorer=[
            refusal_correct(grader_check="off"),
            refusal_scores(grader_check="off"),
        ],
    )


def _bare() -> Task:
    template = prompt_text()
    samples = [
        Sample(
            id=item.item_id,
            input=fill(template, {"query": item.query, "context": item.passages[0]}),
            target=item.expected.value,
            metadata=item.model_dump(mode="json"),
        )
        for item in synthetic_items(ROWS)
    ]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=match())


def _cpu(task: Task) -> float:
    with tempfile.TemporaryDirectory() as logs:
        start = time.process_time()
        (log,) = eval(
            task, model=_model(), log_dir=logs, display="none", score_display=False
        )
        assert log.status == "success"
        return time.process_time() - start


def results() -> list[Result]:
    """Return the ratio of CPU seconds, three runs of each in turn, after one run to
    warm up.
    """
    _cpu(_bare())
    ours = []
    bare = []
    for _ in range(3):
        bare.append(_cpu(_bare()))
        ours.append(_cpu(_ours()))
    ratio = median(ours) / median(bare)
    return [
        Result(
            "CPU per sample, `nq` in cascade mode against a bare Inspect task",
            f"{ratio:.2f}× ({median(ours) / ROWS * 1e3:.1f} against"
            f" {median(bare) / ROWS * 1e3:.1f} ms)",
            f"{ROWS} rows, fake model without latency, bare codes only; the bare task"
            " sends the same prompts and scores with `match`; no live score display;"
            " median of 3 runs in turn",
        )
    ]
