"""`eval.yaml` says of each task what the task says of itself, in the keys that inspect_evals' layout has."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

import refusalbench_tasks

METADATA: dict[str, Any] = yaml.safe_load(
    (Path(refusalbench_tasks.__file__).parent / "eval.yaml").read_text(encoding="utf-8")
)
TASKS = (*refusalbench_tasks.__all__, "collect")  # whose feature's package has the short name


def version(task: str) -> str:
    return str(import_module(f"refusalbench_tasks.tasks.{task}").VERSION)


def test_every_task_is_listed_once() -> None:
    assert sorted(task["name"] for task in METADATA["tasks"]) == sorted(TASKS)


@pytest.mark.parametrize("task", METADATA["tasks"], ids=lambda task: task["name"])
def test_a_task_has_its_own_version_in_a_key_that_the_layout_allows(task: dict[str, Any]) -> None:
    assert task.keys() == {"name", "dataset_samples", "comment"}
    assert task["comment"] == f"task version {version(task['name'])}"


def test_the_version_of_all_is_the_highest() -> None:
    assert METADATA["version"] == max(version(task) for task in TASKS)
