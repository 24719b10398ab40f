"""Siblings of which a run is cut at one place after another: nothing is paid for twice,
and nothing is lost.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.generators import item_scoring, perturbing
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.perturb_record import SCORER
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import (
    field,
    is_reading,
    of_each,
    read_well,
    verdict,
    write_well,
)
from tests.killing import Place, killed_and_retried
from tests.models import metrics_of

PLACES: tuple[Place, ...] = (
    (item_scoring, "verify", 1),
    (perturbing, "candidate_problems", 2),
)
"""Behind the call that judges three, and between two siblings."""


def script(prompt: str) -> Any:
    """Write and read well; let every verdict be a PASS, but for HIGH."""
    if is_reading(prompt):
        return read_well(prompt)
    return of_each(lambda one: _one(one), prompt)


def _one(prompt: str) -> Any:
    judges = prompt.startswith("You check test items")
    return (
        verdict(not field(prompt, "Intensity").startswith("HIGH"))
        if judges
        else write_well(prompt)
    )


def test_siblings_that_were_cut_half_way_are_paid_for_once_and_all_of_them_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "calls"))
    write_rows(tmp_path / "one.jsonl", map(base_row, curate("nq_sample").items[:1]))
    task = perturb(
        bases=str(tmp_path / "one.jsonl"),
        classes="MissingInfo",
        together=True,
        max_failures=0,
    )
    log, asked = killed_and_retried(monkeypatch, task, script, PLACES)
    # written in one call and judged in one; with a single verifier all three are read
    assert (set(asked.values()), sum(asked.values())) == ({1}, 1 + 1 + 3)
    outcomes = {
        one.metadata["intensity"]: one.scores[SCORER].answer
        for one in log.samples or []
        if one.scores
    }
    assert outcomes == {"LOW": "accepted", "MEDIUM": "accepted", "HIGH": "rejected"}
    assert metrics_of(log, SCORER)["n_accepted"] == 2
    found = [item for run in read_runs(["logs"]).runs for item in run.items]
    assert Counter(vote.together for item in found for vote in item.votes) == {3: 3}
