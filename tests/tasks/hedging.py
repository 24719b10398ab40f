"""Hedging runs of the tests: bluff through the genuine clients to a local server."""

import json
import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pandas as pd
from inspect_ai import Epochs, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.metrics.hedging import hedging_values
from refusalbench_tasks.metrics.hedging_pairs import pairs
from refusalbench_tasks.metrics.hedging_table import hedging_row, hedging_table
from refusalbench_tasks.tasks.bluff import bluff
from tests.models import part
from tests.provider.call import Call
from tests.provider.reply import Reply, Script
from tests.provider.server import Server

Made = Reply | Callable[[Call], Reply | None] | None

SURE = ((("A", math.log(0.6)), (" A", math.log(0.2)), ("B", math.log(0.2))),)
AMBIGUOUS = [
    s.text
    for item in load_bluff("sample")[0]
    if item.arm == "ambiguous"
    for s in item.sources
]
UNSURE = ((("B", math.log(0.6)), ("A", math.log(0.3)), ("The", math.log(0.1))),)


def is_ambiguous(prompt: str) -> bool:
    return any(text in prompt for text in AMBIGUOUS)


def well_behaved(call: Call) -> Reply:
    """Answer plainly and surely from clear sources; hedge, less surely, from ambiguous
    ones.
    """
    if call.tools:
        wrong = "perhaps" in part(call.text, "REPLY")
        verdict = {
            "explanation": "x",
            "behaviour": "ANSWER",
            "correctness": 0.2 if wrong else 0.9,
        }
        # the grader of `official-code` only says how correct an answer is
        return Reply(
            arguments={
                name: said
                for name, said in verdict.items()
                if name in json.dumps(call.body["tools"])
            }
        )
    doubtful = is_ambiguous(call.text)
    if "LETTER:" in call.text:
        return Reply("B" if doubtful else "A", logprobs=UNSURE if doubtful else SURE)
    return Reply(
        "It was perhaps so.\nThe notices differ."
        if doubtful
        else "It was so.\nFour pages agree."
    )


def otherwise(answer: Made = None, letter: Made = None, verdict: Made = None) -> Script:
    """Return the script of `well_behaved` with other replies, fixed or by the call;
    None is what it says.
    """

    def reply(call: Call) -> Reply:
        made = verdict if call.tools else letter if "LETTER:" in call.text else answer
        return (made if isinstance(made, Reply | None) else made(call)) or well_behaved(
            call
        )

    return reply


def openai(server: Server) -> Model:
    return get_model(
        "openai/gpt-4o",
        base_url=server.openai_url,
        api_key="x",
        memoize=False,
        max_retries=0,
    )


def run(model: Model, epochs: Epochs | None = None, **task: Any) -> EvalLog:
    arguments: dict[str, Any] = {"data": "sample", "per_topic": 2} | task
    (log,) = eval(
        bluff(**arguments), model=model, epochs=epochs, log_dir="logs", display="none"
    )
    assert log.status == "success", log.error
    return log


def served(script: Script = well_behaved, **task: Any) -> tuple[EvalLog, list[Call]]:
    """Run on the four law items through the genuine client, and return the log and what
    the server was asked.
    """
    with Server(script) as server:
        return run(openai(server), **{"topics": "law"} | task), server.calls


def replies(log: EvalLog) -> pd.DataFrame:
    assert log.samples
    return hedging_table(
        hedging_row(s.metadata, s.scores["hedging_scores"])
        for s in log.samples
        if s.scores
    )


def metrics(log: EvalLog) -> dict[str, float]:
    """Return every number of a log's replies with its `_n` and interval, and how many
    replies and pairs there are.
    """
    table = replies(log)
    found: dict[str, float] = {
        "n": len(table),
        "n_self_graded": table["self_graded"].sum(),
    }
    for name, one in hedging_values(table).items():
        found |= {
            name: one.value,
            f"{name}_n": one.n,
            f"{name}_ci_low": one.low,
            f"{name}_ci_high": one.high,
        }
    parts = {
        "n_{}": table["reason"],
        "n_by_{}": table["decided_by"],
        "n_confidence_{}": table["confidence_missing"],
    }
    parts |= {"n_outcome_{}": table["outcome"], "n_pairs_{}": pairs(table)["dropped"]}
    for name, column in parts.items():
        found |= {
            name.format(value): int(n)
            for value, n in column.value_counts().items()
            if value
        }
    return defaultdict(
        int,
        found
        | {"n_pairs": len(pairs(table)), "n_questions": table["cluster"].nunique()},
    )


def values(log: EvalLog) -> dict[str, dict[str, float]]:
    assert log.samples
    values_of: dict[str, Any] = {}
    for sample in log.samples:
        if sample.scores:
            values_of[str(sample.id)] = sample.scores["hedging_scores"].value
    return values_of


def about(log: EvalLog) -> list[dict[str, Any]]:
    assert log.samples
    return [s.scores["hedging_scores"].metadata or {} for s in log.samples if s.scores]


def correct(log: EvalLog) -> dict[str, Score]:
    assert log.samples
    return {str(s.id): s.scores["hedging_correct"] for s in log.samples if s.scores}
