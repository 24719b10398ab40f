"""Replies that exist already, scored without a model and without a run, as the log that
a run would have written.
"""

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from inspect_ai import Task, score
from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    EvalStats,
    recompute_metrics,
)
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Scorer, Target
from inspect_ai.solver import TaskState

import refusalbench_tasks
from refusalbench_tasks.solvers.recorded import Replies
from refusalbench_tasks.solvers.recorded_reply import RecordedReply
from refusalbench_tasks.solvers.replay import NAME, give


def offline_log(
    name: str,
    task: Task,
    given: Mapping[str, Any],
    passed: Mapping[str, Any],
    matched: Replies,
    system: str | None,
) -> EvalLog:
    """Return the log of the replies to a task's rows, scored by its own scorers; the
    task must decide offline.

    There are as many epochs as the replies have. `given` are the arguments of the task,
    `passed` those that the solver `replay` would have been given, `system` a name;
    without one it is that of the one model of all replies.
    """
    epochs = max(epoch for _, epoch in matched)
    pairs = [
        (sample, epoch) for sample in task.dataset for epoch in range(1, epochs + 1)
    ]
    replies = [matched.get((str(sample.id), epoch)) for sample, epoch in pairs]
    models = {reply.model for reply in replies if reply is not None}
    if not system and len(models) == 1 and models != {NAME}:
        [system] = models
    if system:
        passed = {**passed, "name": system}
    signature = inspect.signature(getattr(refusalbench_tasks, name))
    *parameters, _ = signature.parameters.values()
    defaults = {parameter.name: parameter.default for parameter in parameters}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    dataset = task.dataset
    sample_ids = [sample.id for sample in dataset if sample.id is not None]
    samples = [
        _replied(sample, epoch, reply)
        for (sample, epoch), reply in zip(pairs, replies, strict=True)
    ]
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            created=now,
            task=f"refusalbench_tasks/{name}",
            task_version=task.version,
            task_args=defaults | dict(given),
            task_args_passed=dict(given),
            solver="refusalbench_tasks/replay",
            solver_args=dict(passed),
            solver_args_passed=dict(passed),
            dataset=EvalDataset(
                name=dataset.name,
                samples=len(dataset),
                sample_ids=sample_ids,
            ),
            model="none/none",
            config=EvalConfig(epochs=epochs),
            metadata=task.metadata,
            headline_metric=task.headline_metric,
        ),
        stats=EvalStats(started_at=now, completed_at=now),
        samples=samples,
    )
    assert task.scorer is not None
    _score(log, task.scorer)
    return log


def _score(log: EvalLog, scorers: Sequence[Scorer]) -> None:
    """Give the samples of a log their scores, and the log its metrics, as `inspect
    score` would.

    Inspect scores the first sample alone, so that the log says which scorers and
    metrics it has: all would take it ten times as long.
    """
    samples = log.samples or []
    score(
        log.model_copy(update={"samples": samples[:1]}),
        list(scorers),
        action="overwrite",
        display="none",
        copy=False,
    )
    samples[0].events = []
    names = [scorer.name.rpartition("/")[2] for scorer in log.eval.scorers or ()]

    async def score_all() -> None:
        for sample in samples:
            state = TaskState(
                model=ModelName(log.eval.model),
                sample_id=sample.id,
                epoch=sample.epoch,
                input=sample.input,
                messages=sample.messages,
                output=sample.output,
                metadata=sample.metadata,
                store=sample.store,
            )
            sample.scores = state.scores = {}
            for name, scorer in zip(names, scorers, strict=True):
                sample_score = await scorer(state, Target(sample.target))
                if sample_score is not None:
                    state.scores[name] = sample_score

    asyncio.run(score_all())
    recompute_metrics(log)


def _replied(
    sample: Sample,
    epoch: int,
    reply: RecordedReply | None,
) -> EvalSample:
    """Return a sample with its reply as a log has it before it is scored."""
    state = TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id or "",
        epoch=epoch,
        input=sample.input,
        messages=[],
        target=Target(sample.target),
        output=ModelOutput(model=NAME),
        metadata=dict(sample.metadata or {}),
    )
    give(state, reply)
    return EvalSample(
        id=state.sample_id,
        epoch=epoch,
        input=sample.input,
        target=sample.target,
        metadata=state.metadata,
        messages=state.messages,
        output=state.output,
        store=dict(state.store.items()),
    )
