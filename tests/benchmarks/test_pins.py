"""`make pins` asks the hub's own client, here of a local hub, and writes what a run
then reads.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from refusalbench_tasks.bounded_reading import data_text
from refusalbench_tasks.datasets.benchmarks import BENCHMARKS
from refusalbench_tasks.datasets.rows import bundled_rows
from tests.hub import COMMIT, Sets, hub

ROOT = Path(__file__).parents[2]


def _sets(without_last: bool = False) -> Sets:
    sets = {}
    for benchmark in BENCHMARKS:
        lines = data_text("datasets", benchmark.sample).splitlines(keepends=True)
        kept = lines[:-1] if without_last else lines
        sets[benchmark.repo] = {f"{benchmark.split}.jsonl": "".join(kept).encode()}
    return sets


def _pin(
    sets: Sets, file: Path, cache: Path, offline: str = "0"
) -> subprocess.CompletedProcess[str]:
    with hub(sets) as address:
        environment = {
            "HF_ENDPOINT": address,
            "HF_HOME": str(cache),
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_OFFLINE": offline,
            "HF_DATASETS_OFFLINE": offline,
        }
        return subprocess.run(
            [sys.executable, "-m", "benchmarks.pins", str(file)],
            cwd=ROOT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    file = tmp_path / "pins.json"
    file.write_text("{}")
    return file


def test_both_sets_are_pinned_at_the_commit_of_the_hub(
    pins: Path, tmp_path: Path
) -> None:
    done = _pin(_sets(), pins, tmp_path / "cache")
    assert done.returncode == 0, done.stdout + done.stderr
    written = json.loads(pins.read_text())
    assert {*written} == {benchmark.repo for benchmark in BENCHMARKS}
    for benchmark in BENCHMARKS:
        pin = written[benchmark.repo]
        assert pin["commit"] == COMMIT
        assert pin["rows"] == len(bundled_rows(benchmark.sample))
    done = _pin({}, pins, tmp_path / "cache", offline="1")
    assert done.returncode == 0, "loaded before: " + done.stderr
    assert json.loads(pins.read_text()) == written


def test_a_set_that_has_changed_is_not_pinned_again(pins: Path, tmp_path: Path) -> None:
    assert _pin(_sets(), pins, tmp_path / "cache").returncode == 0
    before = pins.read_text()
    done = _pin(_sets(without_last=True), pins, tmp_path / "other")
    assert done.returncode
    assert "look at what changed" in done.stderr
    assert pins.read_text() == before
