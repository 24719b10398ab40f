"""Wall clock of a run against the ideal, on the local server: rows x calls x latency / concurrency."""

import os
import tempfile
import time

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig, Model, get_model

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.scorers.refusal import refusal_label, refusal_scores
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from tests.provider import Server
from tests.provider.plausible import plausible

ROWS, LATENCY, CONCURRENCY = 1_600, 0.5, 100


def _model(name: str, server: Server) -> Model:
    config = GenerateConfig(max_connections=CONCURRENCY)
    return get_model(f"openai/{name}", base_url=server.openai_url, config=config, memoize=False)


def results() -> list[Result]:
    """Return the ratio of wall clock to the ideal, with the model and the judge at 100 connections each."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    task = Task(
        dataset=MemoryDataset([item.to_sample() for item in synthetic_items(ROWS)]),
        solver=refusal_prompt(),
        scorer=[refusal_label(), refusal_scores()],
    )
    with Server(plausible(), latency=LATENCY) as server, tempfile.TemporaryDirectory() as logs:
        roles = {"grader": _model("gpt-4o-mini", server)}
        start = time.perf_counter()
        (log,) = eval(
            task,
            model=_model("gpt-4o", server),
            model_roles=roles,
            log_dir=logs,
            display="none",
            score_display=False,
            max_samples=CONCURRENCY,
            log_realtime=False,
        )
        wall = time.perf_counter() - start
        assert log.status == "success"
        ideal = len(server.calls) * LATENCY / CONCURRENCY
    return [
        Result(
            "wall clock against the ideal",
            f"{wall / ideal:.2f}× ({wall:.1f} against {ideal:.1f} s)",
            "≤ 1.15×",
            f"{ROWS} rows, {len(server.calls)} calls through the `openai` client, {LATENCY} s each, "
            f"{CONCURRENCY} samples at once (at most {server.peak} requests); server and client share two cores; "
            "no live score display, no realtime log",
        )
    ]
