"""The entries for the register of Inspect Evals name tasks that exist, with the sizes that eval.yaml has."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ENTRIES = sorted((ROOT / "docs" / "register").glob("*.yaml"))
SIZES = {
    task["name"]: task["dataset_samples"]
    for task in yaml.safe_load((ROOT / "refusalbench_tasks" / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
}


def test_each_benchmark_has_an_entry() -> None:
    assert [entry.stem.removeprefix("refusalbench_") for entry in ENTRIES] == ["bluff", "garage", "nq"]


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: path.stem)
def test_an_entry_names_one_task_that_exists(path: Path) -> None:
    entry = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert "id" not in entry  # the register gives it
    assert entry["paper_title"]
    (task,) = entry["tasks"]
    source = (ROOT / task["task_path"]).read_text(encoding="utf-8")
    assert f"def {task['name']}(" in source
    assert task["dataset_samples"] == SIZES[task["name"]]
