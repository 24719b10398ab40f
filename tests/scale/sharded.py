"""Runs in shards of the sample, and the command that merges them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from inspect_ai import Task, eval
from inspect_ai.log import (
    EvalLog,
)

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.nq import nq
from tests.models import fake

TOPICS = ",".join(sorted({item.topic for item in load_bluff("sample")[0]})[:4])


Make = Callable[[str | None], Task]


Put = Callable[..., list[Path]]


def nq_task(shard: str | None, **more: Any) -> Task:
    part: dict[str, Any] = {"shard": shard} if shard else {}
    return nq(
        data="sample",
        judge="offline",
        per_stratum=2,
        classes="MissingInfo",
        controls="add",
        **part,
        **more,
    )


def bluff_task(shard: str | None) -> Task:
    part: dict[str, Any] = {"shard": shard} if shard else {}
    return bluff(
        data="sample", judge="offline", ptrue="none", per_topic=1, topics=TOPICS, **part
    )


def evaluated(task: Task, place: str, **more: Any) -> EvalLog:
    (log,) = eval(
        task,
        model=fake(
            lambda text: (
                "REFUSE_INFO_MISSING_IN_CONTEXT" if len(text) % 2 else "perhaps 7"
            )
        ),
        log_dir=place,
        display="none",
        **more,
    )
    return log


def merged(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["merge", *arguments])
