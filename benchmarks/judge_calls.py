"""Judge calls per row in cascade mode, on mixes of replies with published refusal
rates.
"""

import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from tests.provider import Call
from tests.provider.plausible import plausible

ROWS = 200
MIXES = {
    # share of bare codes, share of refusals in words
    "88.4 % of replies refuse (GPT-4o: of unanswerable questions, paper F.7);"
    " 5 % of these in words (assumed)": (
        0.84,
        0.044,
    ),
    "half of the replies refuse; 10 % of these in words (assumed)": (0.45, 0.05),
    "Qwen1.5-7B: 35 % bare codes (a re-implementer's count)": (0.35, 0.20),
}


def _per_row(bare: float, prose: float) -> float:
    script = plausible(bare, prose)
    judged = 0

    def answer(
        messages: list[object], tools: list[object], choice: object, config: object
    ) -> ModelOutput:
        nonlocal judged
        text = messages[-1].text  # type: ignore[attr-defined]
        reply = script(
            Call(
                "openai",
                "m",
                text,
                ("submit_verdict",) if tools else (),
                False,
                {},
                0,
                0,
            )
        )
        judged += bool(tools)
        if reply.arguments is not None:
            output = ModelOutput.for_tool_call(
                "mockllm/fake", "submit_verdict", dict(reply.arguments)
            )
        else:
            output = ModelOutput.from_content("mockllm/fake", reply.text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/fake", custom_outputs=answer, memoize=False)
    task = Task(
        dataset=MemoryDataset([item.to_sample() for item in synthetic_items(ROWS)]),
        solver=refusal_prompt(),
        scorer=[
            refusal_correct(grader_check="off"),
            refusal_scores(grader_check="off"),
        ],
    )
    with tempfile.TemporaryDirectory() as logs:
        roles = {"grader": model}
        (log,) = eval(
            task,
            model=model,
            model_roles=roles,
            log_dir=logs,
            display="none",
            score_display=False,
        )
    assert log.status == "success"
    return judged / ROWS


def results() -> list[Result]:
    """Return the judge calls per row of each mix; the published procedure has 1.0."""
    method = (
        f"{ROWS} rows, cascade mode, fake models; the published procedure judges every"
        " reply (1.0)"
    )
    return [
        Result(f"judge calls per row: {name}", f"{_per_row(*mix):.2f}", method)
        for name, mix in MIXES.items()
    ]
