"""What a run in shards consists of, and what is refused before anything is begun."""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.work_list import TASKS, WorkList, divided


def made(**changes: Any) -> WorkList:
    return WorkList(
        **{"task": "nq", "model": "openai/m", "shards": 4, "log_dir": "s3://b/runs", "name": "nq"} | changes
    )


@pytest.mark.parametrize("task", TASKS)
def test_the_places_follow_the_layout_of_shard_sets(task: str) -> None:
    work = made(task=task, name=task)
    assert work.merged == f"s3://b/runs/{task}.eval"
    assert work.folder(3) == f"s3://b/runs/{task}.shards/3"


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"task": "worlds"}, "no task 'worlds'; known: nq, garage, bluff, perturb, question"),
        ({"name": "../up"}, "--name: expected letters"),
        ({"task_args": ("shard=1/4",)}, "-T shard=1/4: expected name=value, and no shard"),
        ({"task_args": ("data",)}, "-T data: expected name=value"),
        ({"options": ("--limit", "5")}, "--limit: not after --; it would be applied to every shard"),
        ({"options": ("--max-connections=5",)}, "--max-connections=5: not after --; give it before --"),
    ],
)
def test_what_cannot_be_cut_or_is_set_twice_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        made(**changes).check()


def test_a_shard_is_an_ordinary_run_of_inspect(tmp_path: Path) -> None:
    work = made(log_dir=str(tmp_path), task_args=("data=sample",), model_roles=("grader=openai/g",))
    command = work.command(2, 5)
    assert command[:4] == ["eval", "refusalbench_tasks/nq", "--model", "openai/m"]
    assert command[6:10] == ["-T", "data=sample", "-T", "shard=2/4"]
    assert command[-4:] == ["--max-connections", "5", "--log-dir", work.folder(2)]


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    made(log_dir=str(tmp_path)).claim()
    made(log_dir=str(tmp_path)).claim()
    with pytest.raises(DataError, match="shards of another run: model 'openai/m', here 'openai/other'"):
        made(log_dir=str(tmp_path), model="openai/other").claim()


@pytest.mark.parametrize("limit, wanted, due", [(None, 8, (8, None)), (20, 8, (8, 2)), (3, 8, (3, 1))])
def test_connections_are_divided_over_the_shards(limit: int | None, wanted: int, due: tuple[int, int | None]) -> None:
    assert divided(limit, wanted) == due
