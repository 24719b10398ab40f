"""Quads of one lever, for tests."""

import pytest

from refusalbench_tasks.worlds import quad
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.quad import Quad


def quads_of(lever: Lever, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Quad]:
    """Return quads of one MEDIUM or HIGH lever, of as many seeds."""
    with monkeypatch.context() as patch:
        patch.setattr(quad, "due", lambda index, domains: lever)
        return [quad.make_quad(seed, 0) for seed in range(count)]


def hard_levers(of: str) -> list[Lever]:
    """Return the MEDIUM and HIGH levers of a class."""
    return [one for one in LEVERS if one.perturbation.value == of and one.intensity.value != "LOW"]
