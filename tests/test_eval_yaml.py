"""`eval.yaml` and the entries for the register of Inspect Evals say of each task what
the task says of itself.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

import refusalbench_tasks

ROOT = Path(__file__).parents[1]
METADATA: dict[str, Any] = yaml.safe_load(
    (ROOT / "refusalbench_tasks" / "eval.yaml").read_text(encoding="utf-8")
)
# the packages of two features have the short names
TASKS = (
    *refusalbench_tasks.__all__,
    "collect",
    "search",
)


def version(task: str) -> str:
    return str(import_module(f"refusalbench_tasks.tasks.{task}").VERSION)


def test_every_task_is_listed_once() -> None:
    assert sorted(task["name"] for task in METADATA["tasks"]) == sorted(TASKS)


@pytest.mark.parametrize("task", METADATA["tasks"], ids=lambda task: task["name"])
def test_a_task_has_its_own_version_in_a_key_that_the_layout_allows(
    task: dict[str, Any],
) -> None:
    assert task.keys() == {"name", "dataset_samples", "comment"}
    assert task["comment"] == f"task version {version(task['name'])}"


def test_the_version_of_all_is_the_highest() -> None:
    assert METADATA["version"] == max(version(task) for task in TASKS)


@pytest.mark.parametrize("name", ["bluff", "garage", "nq"])
def test_an_entry_of_the_register_names_one_task_that_exists(name: str) -> None:
    entry = yaml.safe_load(
        (ROOT / "docs" / "register" / f"refusalbench_{name}.yaml").read_text(
            encoding="utf-8"
        )
    )
    assert "id" not in entry  # the register gives it
    assert entry["paper_title"]
    (task,) = entry["tasks"]
    assert f"def {task['name']}(" in (ROOT / task["task_path"]).read_text(
        encoding="utf-8"
    )
    assert task["dataset_samples"] in [
        one["dataset_samples"] for one in METADATA["tasks"] if one["name"] == name
    ]
