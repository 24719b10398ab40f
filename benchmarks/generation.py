"""Model calls per accepted item, and the time to plan a pool of the published size."""

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.model import Model, get_model

from benchmarks.result import Result
from benchmarks.rows import synthetic_items
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.kit.bases import base_row, load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.generators.panel import add, field, verdict, write_well
from tests.provider.call import Call
from tests.provider.reply import Reply
from tests.provider.server import Server

ACCEPTED = {"gpt-4o": 0.75, "gpt-4o-mini": 0.485, "gpt-4.1": 0.735, "gpt-4.1-mini": 0.565}
"""Unanimous acceptance of the four published writers (inferred from the released ids), under stand-in names."""
PUBLISHED = 7.9
PAPER: dict[str, Any] = {
    "write": "whole", "coverage": "rotation", "reading": "off", "intensity": "veto", "order": "given",
    "self_votes": True,
}  # fmt: skip
"""The settings that the paper's procedure has."""


def script(call: Call) -> Reply:
    """Write well; as a verifier pass so often that four independent votes accept at the writer's rate."""
    if "You check test items" not in call.text:
        draft, signed = write_well(call.text), f" Note {call.model} so."
        if field(call.text, "Target").startswith("Change the question only"):
            return Reply(arguments=draft | {"perturbed_query": draft["perturbed_query"] + signed})
        return Reply(arguments=add(draft, signed))
    writer = call.text.rpartition("Note ")[2].partition(" so.")[0]
    share = ACCEPTED[writer] ** (1 / len(ACCEPTED))
    return Reply(arguments=verdict(call.digest % 10_000 < share * 10_000))


def measured(server: Server, **task: Any) -> tuple[float, float]:
    """Return calls per accepted item and the yield, over all four writers."""
    models = [_model(server, name) for name in ACCEPTED]
    roles: Any = {"verifier": models}
    before, accepted, planned = len(server.calls), 0.0, 0.0
    with tempfile.TemporaryDirectory() as logs:
        bases = f"{logs}/bases.jsonl"
        write_rows(Path(bases), map(base_row, load_bases("nq_sample")[:8]))
        for writer in models:
            (log,) = eval(
                perturb(bases=bases, cache=False, max_failures=0, **task),
                model=writer, model_roles=roles, log_dir=logs, display="none", max_connections=50,
            )  # fmt: skip
            assert log.results
            found = log.results.scores[0].metrics
            accepted, planned = accepted + found["n_accepted"].value, planned + found["n_items"].value
    return (len(server.calls) - before) / accepted, accepted / planned


def _model(server: Server, name: str) -> Model:
    return get_model(f"openai/{name}", base_url=server.openai_url, api_key="none", memoize=False)


def seconds_to_plan() -> float:
    """Return the least processor time to plan 400 bases x 18 cells = 7,200 candidates."""
    bases = [
        RefusalItem(item_id=f"b{k}", source_id=f"b{k}", query=item.query, passages=item.passages, answers=("x",),
                    intensity=Intensity.CLEAN, expected=Label.ANSWER)
        for k, item in enumerate(synthetic_items(400))
    ]  # fmt: skip
    levers, best = bundled_levers(), float("inf")
    for _ in range(3):
        start = time.process_time()
        assert len(make_plan(bases, levers, "rotation")) == 7_200
        best = min(best, time.process_time() - start)
    return best


def results() -> list[Result]:
    """Return calls per accepted item of three settings, and the planning time."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    method = (
        "4 writers, each also a verifier, 144 items each, acceptance as inferred for the published run, `openai` client"
    )
    rows = []
    with Server(script) as server:
        for name, task in (
            ("early stop", PAPER),
            ("early stop, no vote on one's own items", PAPER | {"self_votes": False}),
            ("every vote kept", PAPER | {"verify": "all"}),
        ):
            calls, share = measured(server, **task)
            value = f"{calls:.2f} (yield {share:.2f})"
            goal = f"≤ 5.5 (published procedure {PUBLISHED})"
            rows.append(Result(f"model calls per accepted item: {name}", value, goal, method))
    how = "400 bases, coverage=rotation, processor time, best of 3"
    plan = Result("planning 7,200 candidates", f"{seconds_to_plan():.2f} s", "≤ 1 s", how)
    return [*rows, plan]
