"""A run that is killed at one place after another, and retried each time, pays for nothing twice."""

from collections import Counter
from pathlib import Path

import pytest

from refusalbench_tasks.collect import panel
from refusalbench_tasks.collect.collecting import WEB_STAGES, WRITTEN_STAGES
from refusalbench_tasks.collect.gear import Gear
from refusalbench_tasks.collect.outcome import STAGES
from refusalbench_tasks.collect.stages import Work
from refusalbench_tasks.tasks.collect import collect
from tests.collect.invented import knows, plain
from tests.collect.outside import Outside
from tests.collect.panel import PAGES, READS, metrics, read, set_up, write
from tests.killing import Place, killed_and_retried

IN_STAGES: tuple[Place, ...] = ((Gear, "read", 4), (panel, "read_sources", 2))
WEB: tuple[Place, ...] = (*((Work, stage, 1) for stage in WEB_STAGES), *IN_STAGES, (panel.Panel, "check", 1))
WRITTEN: tuple[Place, ...] = ((Work, "written", 2), (panel, "read_sources", 3), (panel.Panel, "check", 2))


def test_every_stage_has_its_place() -> None:
    stages = {name for owner, name, _ in WEB if owner is Work}
    assert (*WEB_STAGES, "panel") == STAGES
    assert stages == set(WEB_STAGES)
    assert {name for owner, name, _ in WRITTEN if owner is Work} == set(WRITTEN_STAGES)


def test_a_run_that_was_killed_at_every_stage_pays_for_nothing_twice(
    outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = collect(search=f"searxng:{outside.here}/searxng", **set_up(1))
    script = lambda prompt: (read if prompt.startswith(READS) else write)(prompt)  # noqa: E731
    log, asked = killed_and_retried(monkeypatch, task, script, WEB)
    assert metrics(log)["n_accepted"] == 1
    # a list of queries, a question, and one reader of two sets
    assert (set(asked.values()), sum(asked.values())) == ({1}, 1 + 1 + 2)
    assert max(Counter((host, path) for host, path, _ in outside.seen).values()) == 1
    assert max(Counter(outside.searches).values()) == 1


def test_a_run_of_written_sources_that_was_killed_pays_for_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "calls"))
    reads = knows(4, 5)
    script = lambda prompt: (plain if prompt.startswith(PAGES) else reads)(prompt)  # noqa: E731
    log, asked = killed_and_retried(monkeypatch, collect(sources="written", n=4, seed=5), script, WRITTEN)
    assert metrics(log)["n_accepted"] == 4
    # of each record: its pages, and one reader of two sets
    assert (set(asked.values()), sum(asked.values())) == ({1}, 4 * (1 + 2))
