"""Levers of P-Ambiguity: the text leaves one thing open and settles the other."""

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from tests.worlds.quads import hard_levers, quads_of

HARD = hard_levers("P-Ambiguity")
SEEDS = 20


@pytest.mark.parametrize("lever", HARD, ids=lambda one: f"{one.name}, {one.scenario}")
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.AMBIGUOUS, Label.AMBIGUOUS, Label.ANSWER]
        for first, second in (quad.cells[:2], quad.cells[2:]):
            assert first.question == second.question


def test_every_published_lever_is_there() -> None:
    names = {one.name for one in LEVERS if one.perturbation.value == "P-Ambiguity"}
    assert len(names) == 29
