"""Wall clock of a run against the ideal, on the local server: rows x calls x latency / concurrency."""

import os
import tempfile
import time

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.scorers.refusal import refusal_correct, refusal_scores
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from tests.provider import Server
from tests.provider.plausible import plausible

ROWS, LATENCY, CONCURRENCY = 1_600, 0.5, 100


def _model(name: str, server: Server) -> Model:
    config = GenerateConfig(max_connections=CONCURRENCY)
    return get_model(f"openai/{name}", base_url=server.openai_url, config=config, memoize=False)


def _wall(task: Task, server: Server, roles: dict[str, str | Model]) -> float:
    with tempfile.TemporaryDirectory() as logs:
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
    return wall


def results() -> list[Result]:
    """Return the ratio of wall clock to the ideal: `nq` with a judge, and a bare task without one as the floor."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    dataset = MemoryDataset([item.to_sample() for item in synthetic_items(ROWS)])
    bare = Task(dataset=dataset, solver=generate(), scorer=match())
    ours = Task(dataset=dataset, solver=refusal_prompt(), scorer=[refusal_correct(), refusal_scores()])
    with Server(plausible(), latency=LATENCY) as server:
        floor = _wall(bare, server, {}) / (len(server.calls) * LATENCY / CONCURRENCY)
    with Server(plausible(), latency=LATENCY) as server:
        wall = _wall(ours, server, {"grader": _model("gpt-4o-mini", server)})
        ideal = len(server.calls) * LATENCY / CONCURRENCY
    method = (
        f"{ROWS} rows, {LATENCY} s a call, {CONCURRENCY} samples at once, `openai` client; server and client share the "
        "machine; no live score display, no realtime log"
    )
    return [
        Result(
            "wall clock against the ideal, `nq` with a judge",
            f"{wall / ideal:.2f}× ({wall:.1f} against {ideal:.1f} s)",
            "≤ 1.15×",
            f"{len(server.calls)} calls, at most {server.peak} at once; {method}",
        ),
        Result(
            "the same, a bare Inspect task without a judge", f"{floor:.2f}×", "(the floor)", f"{ROWS} calls; {method}"
        ),
    ]
