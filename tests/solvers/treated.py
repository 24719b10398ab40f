"""Runs of `nq` under a treatment, with a scripted model and grader."""

from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, get_model
from inspect_ai.solver import Solver

from refusalbench_tasks import nq
from refusalbench_tasks.datasets.benchmarks import NQ, Selection, load
from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.taxonomy import Label
from tests.models import fake, metrics_of, output

MISSING = Label.MISSING.value
ITEMS = load(NQ, Selection(data="sample")).perturbed
CODES = {label.value for label in Label}


def gold(prompt: str) -> str:
    """Return the gold reply to the row whose question and passage stand in a prompt."""
    [item] = [
        item
        for item in ITEMS
        if f"QUESTION\n{item.query}\n" in prompt and item.passages[0] in prompt
    ]
    return item.answers[0] if item.answerable else item.expected.value


def grader(prompt: str) -> dict[str, Any]:
    """Take whatever is no bare code for a good answer."""
    attempt = {"explanation": "an answer", "label": "ANSWER_ATTEMPT"}
    return attempt | ({"grade": 5} if "BEGIN REFERENCES" in prompt else {})


def run(
    solver: Solver,
    answer: Any,
    logs: Path,
    task: Any = nq,
    limit: int | None = 6,
    **args: Any,
) -> EvalLog:
    """Return the log of a model that goes by all that was said to it."""

    def reply(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        return output(
            answer(
                "\n\n".join(
                    message.text for message in messages if message.role == "user"
                )
            )
        )

    [log] = eval(
        task(data="sample", **args),
        model=get_model("mockllm/fake", custom_outputs=reply, memoize=False),
        model_roles={"grader": fake(grader)},
        solver=solver,
        log_dir=str(logs),
        limit=limit,
        display="none",
    )
    assert log.status == "success", log.error
    return log


def refusals(log: EvalLog) -> tuple[float, float]:
    """Return the rates of false and of missed refusals."""
    found = metrics_of(log, "refusal_scores")
    return found["false_refusal_rate"], found["missed_refusal_rate"]


def notes(log: EvalLog) -> list[dict[str, Any]]:
    return [sample.metadata[NOTES][-1] for sample in log.samples or []]
