"""Hedging runs of the tests: bluff through the genuine clients to a local server."""

import math
from dataclasses import replace
from typing import Any

from inspect_ai import Epochs, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.tasks.bluff import bluff
from tests.models import metrics_of, part
from tests.provider.call import Call
from tests.provider.reply import Reply
from tests.provider.server import Server

SURE = ((("A", math.log(0.6)), (" A", math.log(0.2)), ("B", math.log(0.2))),)


AMBIGUOUS = [s.text for item in load_bluff("sample")[0] if item.arm == "ambiguous" for s in item.sources]


UNSURE = ((("B", math.log(0.6)), ("A", math.log(0.3)), ("The", math.log(0.1))),)


def is_ambiguous(prompt: str) -> bool:
    return any(text in prompt for text in AMBIGUOUS)


def well_behaved(call: Call) -> Reply:
    """Answer plainly and surely from clear sources; hedge, less surely, from ambiguous ones."""
    if call.tools:
        wrong = "perhaps" in part(call.text, "REPLY")
        return Reply(arguments={"explanation": "x", "behaviour": "ANSWER", "correctness": 0.2 if wrong else 0.9})
    doubtful = is_ambiguous(call.text)
    if "LETTER:" in call.text:
        return Reply("B" if doubtful else "A", logprobs=UNSURE if doubtful else SURE)
    return Reply("It was perhaps so.\nThe notices differ." if doubtful else "It was so.\nFour pages agree.")


def well_behaved_officially(call: Call) -> Reply:
    """As `well_behaved`, for the grader of `official-code`, which only says how correct an answer is."""
    reply = well_behaved(call)
    return (
        replace(reply, arguments={k: v for k, v in reply.arguments.items() if k != "behaviour"})
        if reply.arguments
        else reply
    )


def openai(server: Server) -> Model:
    return get_model("openai/gpt-4o", base_url=server.openai_url, api_key="x", memoize=False, max_retries=0)


def run(model: Model, epochs: Epochs | None = None, **task: Any) -> EvalLog:
    arguments: dict[str, Any] = {"data": "sample", "per_topic": 2} | task
    (log,) = eval(bluff(**arguments), model=model, epochs=epochs, log_dir="logs", display="none")
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    return metrics_of(log, "hedging_scores")


def values(log: EvalLog) -> dict[str, dict[str, float]]:
    assert log.samples
    return {str(s.id): s.scores["hedging_scores"].value for s in log.samples if s.scores}  # type: ignore[misc]


def about(log: EvalLog) -> list[dict[str, Any]]:
    assert log.samples
    return [s.scores["hedging_scores"].metadata or {} for s in log.samples if s.scores]
