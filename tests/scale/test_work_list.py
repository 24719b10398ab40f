"""What a run in shards consists of, and what is refused before anything is begun."""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.work_list import WorkList


def made(**changes: Any) -> WorkList:
    return WorkList(
        **{
            "task": "nq",
            "model": "openai/m",
            "shards": 4,
            "log_dir": "s3://b/runs",
            "name": "nq",
        }
        | changes
    )


@pytest.mark.parametrize(
    "changes, message",
    [
        (
            {"task": "worlds"},
            "no task 'worlds'; known: nq, garage, bluff, perturb, question",
        ),
        (
            {"options": ("--limit", "5")},
            "--limit: not after --, where it would be applied to every shard",
        ),
        ({"options": ("--model=other",)}, "--model=other: not after --"),
    ],
)
def test_what_cannot_be_cut_or_is_set_twice_is_refused(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        made(**changes).check()


def test_a_shard_is_an_ordinary_run_of_inspect(tmp_path: Path) -> None:
    work = made(
        log_dir=str(tmp_path),
        task_args=("data=sample",),
        model_roles=("grader=openai/g",),
        options=("--max-connections", "5"),
    )
    command = work.command(2)
    assert command[:4] == ["eval", "refusalbench_tasks/nq", "--model", "openai/m"]
    assert command[6:12] == [
        "-T",
        "data=sample",
        "-T",
        "shard=2/4",
        "--max-connections",
        "5",
    ]
    assert command[-2:] == ["--log-dir", work.folder(2)]


def test_the_key_of_a_run_follows_what_is_asked_and_not_where_it_lies() -> None:
    assert made().key == made(log_dir="elsewhere", name="other").key
    asked = {
        made(**change).key
        for change in (
            {},
            {"model": "openai/o"},
            {"shards": 5},
            {"task_args": ("data=hub",)},
        )
    }
    assert len(asked) == 4
