"""The set for the hub: Inspect's own loader of hub tasks runs it, with its own scorers,
and it does not change.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import eval
from inspect_ai._eval.task.hf import task_create_from_hf

from benchmarks.worlds_hub import write_hub
from refusalbench_tasks.worlds.quad import VERSION
from tests.models import fake, metrics_of

REPO = "someone/refusalbench-worlds"
FROZEN = {"RBW11": "54bb88aa394584e2dbd18b391c8177b8a8ac1e93aaa367386987363cf9dd1e11"}
"""The rows of each version of worlds.

A change of the rows is a new version, and another set on the hub.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hub") / REPO
    made.parent.mkdir()
    write_hub(made)
    return made


def _rows(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()
    ]


def test_the_set_is_what_it_was(folder: Path) -> None:
    assert (
        hashlib.sha256((folder / "test.jsonl").read_bytes()).hexdigest()
        == FROZEN[VERSION]
    )


def test_inspect_runs_it_without_this_package(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client finds `eval.yaml` in its cache and the rows in a folder of that name,
    as without a network.
    """
    commit = "a" * 40
    cached = folder.parents[1] / "cache" / f"datasets--{REPO.replace('/', '--')}"
    (cached / "snapshots" / commit).mkdir(parents=True)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(commit)
    (cached / "snapshots" / commit / "eval.yaml").write_text(
        (folder / "eval.yaml").read_text()
    )
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cached.parent))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parents[1] / "inspect"))
    # rows of another version, prepared by an earlier run, would be taken for these
    prepared = str(folder.parents[1] / "datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", prepared)
    monkeypatch.chdir(folder.parents[1])
    (task,) = task_create_from_hf(f"hf/{REPO}")
    targets = {row["input"]: row["target"] for row in _rows(folder)}
    assert {str(sample.input): sample.target for sample in task.dataset} == targets
    # codes as they stand, values in the words of a model that adds a full stop
    model = fake(
        lambda text: (
            targets[text]
            if targets[text].startswith("REFUSE_")
            else f"{targets[text]}."
        )
    )
    (log,) = eval(
        task,
        model=model,
        limit=24,
        log_dir=str(folder.parents[1] / "logs"),
        display="none",
    )
    assert metrics_of(log, "exact")["mean"] == 1
    assert log.samples
    assert "REFUSE_FALSE_PREMISE_IN_QUERY" in log.samples[0].messages[0].text
    (log,) = eval(
        task,
        model=fake(lambda _: "REFUSE_OTHER"),
        limit=24,
        log_dir=str(folder.parents[1] / "logs"),
        display="none",
    )
    assert metrics_of(log, "exact")["mean"] == 0


def test_the_card_has_what_the_hub_reads(folder: Path) -> None:
    facts = yaml.safe_load((folder / "README.md").read_text().split("---")[1])
    assert facts["license"] == "cc0-1.0"
    assert facts["configs"] == [
        {
            "config_name": "default",
            "data_files": [{"split": "test", "path": "test.jsonl"}],
        }
    ]
