"""Metrics of a merged log are those of all its samples at once, and a sample costs a small row."""

import gc
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import TaskState
from pydantic_core import to_json

from refusalbench_tasks.scale.merged_metrics import MergedMetrics
from tests.scale.test_merge import evaluated, merged, metrics, nq_task


@metric
def longest() -> Metric:
    def compute(scores: list[SampleScore]) -> float:
        return max(len((one.sample_metadata or {})["query"]) for one in scores)

    return compute


@scorer(metrics=[mean(), stderr(), longest()])
def reply_length() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=float(len(state.output.completion)), explanation="counted")

    return score


def with_own_scorer(shard: str | None) -> Task:
    task = nq_task(shard)
    task.scorer = [*(task.scorer or ()), reply_length()]
    return task


def test_scores_of_others_go_the_way_of_inspect(tmp_path: Path) -> None:
    whole = evaluated(with_own_scorer(None), f"{tmp_path}/whole", epochs=2)
    for number in (1, 2):
        evaluated(with_own_scorer(f"{number}/2"), f"{tmp_path}/parts", epochs=2)
    assert merged(f"{tmp_path}/parts", "-o", f"{tmp_path}/all.eval").exit_code == 0
    log = read_eval_log(f"{tmp_path}/all.eval", header_only=True)
    assert metrics(log) == pytest.approx(metrics(whole), nan_ok=True)
    assert any(name.endswith("/longest") for name in metrics(log))
    assert log.results is not None
    assert whole.results is not None
    assert [(s.name, s.scored_samples, s.unscored_samples) for s in log.results.scores] == [
        (s.name, s.scored_samples, s.unscored_samples) for s in whole.results.scores
    ]
    assert log.results.headline == whole.results.headline


def held_by(root: object) -> int:
    """Return the bytes of all that is reachable from an object; code is not counted."""
    seen: set[int] = set()
    left, total = [root], 0
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, (type, ModuleType, FunctionType)):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        left += gc.get_referents(one)
    return total


def test_a_sample_costs_a_small_row(tmp_path: Path) -> None:
    log = evaluated(nq_task("1/1"), str(tmp_path))
    assert log.samples is not None
    first: dict[str, Any] = log.samples[0].model_dump(mode="python", exclude={"events", "messages"})
    found = MergedMetrics(log)
    sizes = []
    for k in range(2_000):
        # a text of its own in each, as in a log that is read from a file
        name, text = f"row-{k}", f"{k} " + "passage " * 1_000
        found.add(first | {"id": name, "metadata": first["metadata"] | {"item_id": name, "passages": [text]}})
        if k in (999, 1_999):
            sizes.append(held_by(found))
    assert (sizes[1] - sizes[0]) / 1_000 < 800
    found.compute(log)
    assert log.results is not None
    (refusals,) = (score for score in log.results.scores if score.name == "refusal_scores")
    assert (refusals.metrics["n"].value, refusals.scored_samples, log.results.completed_samples) == (2_000,) * 3


def test_stored_samples_give_what_whole_ones_give(tmp_path: Path) -> None:
    log = evaluated(nq_task("1/1"), str(tmp_path))
    whole, stored = MergedMetrics(log), MergedMetrics(log)
    for sample in log.samples or ():
        whole.add(sample.model_dump(mode="python"))
        stored.add_stored(to_json(sample, exclude_none=True, inf_nan_mode="constants", fallback=str))
    told = []
    for found in (whole, stored):
        found.compute(log)
        assert log.results is not None
        told.append(log.results.model_dump_json())
    assert told[0] == told[1]
    # some replies have no label, which is NaN in the log
    results: Any = log.results
    assert any(score.unscored_samples for score in results.scores)
