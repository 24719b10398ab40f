"""What a run in shards consists of, and what is refused before anything is begun."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.manifest import claim
from refusalbench_tasks.scale.work_list import TASKS, divided, grouped, work_list


def made(**changes: Any) -> Any:
    return work_list(**{"task": "nq", "model": "openai/m", "shards": 4, "log_dir": "s3://b/runs", **changes})


@pytest.mark.parametrize("task", TASKS)
def test_the_places_follow_the_layout_of_shard_sets(task: str) -> None:
    work = made(task=task)
    assert work.task == f"refusalbench_tasks/{task}"
    assert work.merged == f"s3://b/runs/{task}.eval"
    assert work.folder_of(3) == f"s3://b/runs/{task}.shards/3"
    assert made(task=f"refusalbench_tasks/{task}", name="night").folder == "s3://b/runs/night.shards"


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"task": "worlds"}, "no task 'worlds'; known: nq, garage, bluff, perturb, question"),
        ({"shards": 0}, "--shards: expected a number from 1 on, got 0"),
        ({"name": "../up"}, "--name: expected letters"),
        ({"task_args": ("shard=1/4",)}, "-T shard: every shard"),
        ({"task_args": ("data",)}, "-T data: expected name=value"),
        ({"options": ("--limit", "5")}, "--limit: not after --; it would cut every shard"),
        ({"options": ("--max-connections=5",)}, "--max-connections: not after --"),
        ({"options": ("--log-dir", "x")}, "--log-dir: not after --"),
        ({"options": ("-T", "data=sample")}, "-T: not after --"),
        ({"options": ("5",)}, "'5': not an option"),
        ({"options": ("--epochs", "2", "3")}, "'3': not an option"),
    ],
)
def test_what_cannot_be_cut_or_is_set_twice_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        made(**changes)


def test_options_are_parted_from_their_values() -> None:
    words = ("--epochs", "2", "--no-score", "--temperature=0.5", "--top-p", "-1", "--seed", "7")
    assert grouped(words) == [
        ("--epochs", "2"), ("--no-score",), ("--temperature", "0.5"), ("--top-p", "-1"), ("--seed", "7")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "limit, wanted, found",
    [(None, 8, (8, None)), (64, 8, (8, 8)), (20, 8, (8, 2)), (8, 8, (8, 1)), (5, 8, (5, 1)), (1, 64, (1, 1))],
)
def test_connections_are_divided_over_the_shards_at_once(
    limit: int | None, wanted: int, found: tuple[int, int | None]
) -> None:
    assert divided(limit, wanted) == found


@given(st.integers(1, 10_000), st.integers(1, 2_000))
def test_together_the_shards_never_have_more_connections_than_the_limit(limit: int, wanted: int) -> None:
    at_once, each = divided(limit, wanted)
    assert each is not None
    assert 1 <= at_once <= wanted
    assert each >= 1
    assert at_once * each <= limit < at_once * (each + 1)


@pytest.mark.parametrize("limit, wanted", [(0, 4), (-1, 4), (4, 0)])
def test_a_limit_below_one_is_refused(limit: int, wanted: int) -> None:
    with pytest.raises(DataError, match="expected a number from 1 on"):
        divided(limit, wanted)


def test_a_folder_of_shards_is_of_one_run(tmp_path: Any) -> None:
    place = str(tmp_path)
    first = made(log_dir=place, task_args=("data=sample", "seed=1"), options=("--temperature", "0"))
    claim(first)
    claim(
        made(log_dir=place, task_args=("seed=1", "data=sample"), options=("--temperature", "0", "--max-samples", "3"))
    )
    for changes, named in (
        ({"model": "openai/other"}, "model"),
        ({"shards": 8}, "shards"),
        ({"task_args": ("data=sample",)}, "task arguments"),
        ({"model_roles": ("grader=openai/m",)}, "model roles"),
        ({"options": ("--temperature", "1")}, "options"),
    ):
        given = {"task_args": ("data=sample", "seed=1"), "options": ("--temperature", "0"), **changes}
        with pytest.raises(DataError, match=f"shards of another run: {named} "):
            claim(made(log_dir=place, **given))
    claim(made(log_dir=place, name="second", model="openai/other"))
