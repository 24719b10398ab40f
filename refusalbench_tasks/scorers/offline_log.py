"""Replies that were scored without Inspect, as the log that Inspect would have written."""

import inspect
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from inspect_ai import Task
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
)

import refusalbench_tasks
from refusalbench_tasks.scorers.offline import Kind, ScoredReply, state_of
from refusalbench_tasks.solvers.replay import NAME


def offline_log(
    name: str, task: Task, given: Mapping[str, Any], replies: str, kind: Kind, scored: Sequence[ScoredReply],
    metrics: Mapping[str, float], system: str | None = None,
) -> EvalLog:  # fmt: skip
    """Return the log of a task's scored replies without its samples, of a run of the solver `replay`.

    `given` are the arguments of the task, `replies` is the file that the solver would have been given, `system` the
    name; without one, it is that of the one model that the replies are of.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    dataset, called = task.dataset, system or _model_of(scored)
    passed = {"replies": replies} | ({"name": called} if called else {})
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created=now,
            task=f"refusalbench_tasks/{name}",
            task_version=task.version,
            task_args=_arguments(name) | dict(given),
            task_args_passed=dict(given),
            solver="refusalbench_tasks/replay",
            solver_args=passed,
            solver_args_passed=passed,
            dataset=EvalDataset(
                name=dataset.name, samples=len(dataset), sample_ids=[one.id for one in dataset if one.id is not None]
            ),
            model="none/none",
            config=EvalConfig(epochs=max(one.epoch for one in scored)),
            metadata=task.metadata,
            headline_metric=task.headline_metric,
        ),
        results=EvalResults(
            total_samples=len(scored), completed_samples=len(scored), scores=[_results(kind, len(scored), metrics)]
        ),
        stats=EvalStats(started_at=now, completed_at=now),
    )


def _model_of(scored: Sequence[ScoredReply]) -> str:
    """Return the model that all replies name; nothing if they name several, or some of them none."""
    models = {one.reply.model for one in scored if one.reply is not None}
    return models.pop() if len(models) == 1 and models != {NAME} else ""


def logged(kind: Kind, scored: ScoredReply) -> EvalSample:
    """Return a scored reply as a sample of a log."""
    state = scored.state or state_of(scored.sample, scored.epoch, scored.reply)
    return EvalSample(
        id=scored.sample.id or "",
        epoch=scored.epoch,
        input=scored.sample.input,
        target=scored.sample.target,
        metadata=scored.sample.metadata or {},
        messages=state.messages,
        output=state.output,
        store=dict(state.store.items()),
        scores={kind.scorer: scored.score},
    )


def _results(kind: Kind, n: int, metrics: Mapping[str, float]) -> EvalScore:
    found = {name: EvalMetric(name=name, value=value) for name, value in metrics.items()}
    return EvalScore(name=kind.scorer, scorer=kind.scorer, metrics=found, scored_samples=n, unscored_samples=0)


def _arguments(name: str) -> dict[str, Any]:
    """Return the arguments of a task with their defaults."""
    parameters = inspect.signature(getattr(refusalbench_tasks, name)).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}
