"""What solver and scorer of one run share."""

from pathlib import Path

import pytest

from refusalbench_tasks.generators.levers import (
    Lever,
    read_levers,
)
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.test_levers import ONE


def test_the_parts_of_a_run_share_one_reading_of_the_lever_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(ONE.format(intensity="LOW"))
    read: list[str] = []

    def reading(text: str, source: str) -> list[Lever]:
        read.append(source)
        return read_levers(text, source)

    monkeypatch.setattr("refusalbench_tasks.generators.levers.read_levers", reading)
    for _ in range(2):
        perturb(bases="nq_sample", classes="Ambiguity", lever_file=str(path))
    assert read == ["mine.yaml", "mine.yaml"]
