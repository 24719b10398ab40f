"""A lever that cannot be done is declined, and another is tried in the same attempt; limits count items."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.generators.kit.attempts import Attempts
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.perturb_run import following
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.registered import consensus_scores, perturbation
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from tests.generators.panel import add, field, named, verdict, write_well

LEVERS = [
    one
    for one in bundled_levers()
    if (one.perturbation, one.intensity) == (PerturbationClass.MISSING_INFO, Intensity.MEDIUM)
]
NAMES = tuple(one.name for one in LEVERS)


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(writer: Any, judge: Any, attempts: int = 1, bases: int = 3, **options: Any) -> EvalLog:
    plan = make_plan(load_bases("nq_sample")[:bases], LEVERS[:1], "rotation")
    slots = [slot.model_copy(update={"alternatives": NAMES[1:3], "planned": len(plan)}) for slot in plan]
    samples = [slot.to_sample() for slot in slots]
    task = Task(
        dataset=Attempts(samples, lambda done: following(done, attempts)), solver=perturbation(cache=False),
        name="perturb", scorer=consensus_scores(cache=False, max_failures=0),
    )  # fmt: skip
    roles: Any = {"verifier": [named("v", judge)]}
    (log,) = eval(task, model=named("w", writer), model_roles=roles, log_dir="logs", display="none", **options)
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {key: metric.value for key, metric in log.results.scores[0].metrics.items()}


def declining(*levers: str) -> Any:
    def write(prompt: str) -> dict[str, Any]:
        if field(prompt, "Lever") in levers:
            return {"applicable": False, "why_not": "There is no such thing."}
        return write_well(prompt)

    return write


def test_the_next_lever_is_tried_in_the_same_attempt_and_recorded() -> None:
    m = metrics(run(declining(*NAMES[:2]), lambda _: verdict()))
    assert (m["n_items"], m["n_candidates"], m["n_accepted"], m["calls"]) == (3, 3, 3, 3 * 5)
    assert (m["n_declined"], m[f"declined/{NAMES[0]}"], m[f"declined/{NAMES[1]}"]) == (6, 3, 3)
    (found,) = read_runs(["logs"]).runs
    assert {item.slot.lever for item in found.items} == {NAMES[2]}
    assert {item.slot.planned_lever for item in found.items} == {NAMES[0]}
    assert found.samples == 3


def test_when_no_lever_is_left_the_item_is_unscored_and_not_asked_for_again() -> None:
    m = metrics(run(declining(*NAMES), lambda _: verdict(), attempts=2))
    assert (m["n_not_applicable"], m["n_unscored"], m["n_declined"], m["calls"]) == (3, 3, 9, 9)
    assert m["n_candidates"] == 3


def test_the_limit_counts_items_and_does_not_cap_further_attempts() -> None:
    def write(prompt: str) -> Any:
        if "This is attempt" not in prompt:
            return "no"
        return add(write_well(prompt), " It was told twice." if "attempt 3" in prompt else " It was told.")

    log = run(write, lambda prompt: verdict("told twice" in prompt), attempts=3, bases=4, limit=2)
    m = metrics(log)
    assert (m["n_items"], m["n_candidates"], m["n_accepted"]) == (2, 6, 2)
    assert sorted(sample.epoch for sample in log.samples or []) == [1, 1, 2, 2, 3, 3]
    assert len(read_runs(["logs"]).items) == 6
