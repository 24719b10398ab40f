"""The proofs of worlds find what is wrong: faults planted in all that makes rows are caught in a few dozen quads."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from refusalbench_tasks.taxonomy import PerturbationClass
from refusalbench_tasks.worlds import quad as making
from refusalbench_tasks.worlds.pack import DOMAINS
from refusalbench_tasks.worlds.proof import Disagreement, prove
from refusalbench_tasks.worlds.quad import Quad, make_quad
from refusalbench_tasks.worlds.turn import due, usable
from tests.worlds.faults import FAULTS, Fault

SEED = 2126
SOUGHT = 960
"""Quads that are looked through for something that a fault can spoil."""
DOZENS = 36
"""Quads of that kind within which it must be caught."""
TRIES = 2
"""How often a scene is drawn; the quads that are spoilt need no more."""


@cache
def quad(index: int) -> Quad | None:
    """Return a quad, if it can be made in a few tries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "TRIES", TRIES)
        try:
            return make_quad(SEED, index)
        except LookupError:
            return None


@cache
def proven(index: int) -> bool:
    one = quad(index)
    assert one is not None
    return _proven(one)


def _proven(one: Quad) -> bool:
    try:
        prove(one)
    except Disagreement:
        return False
    return True


def caught(index: int) -> bool:
    """Return whether the solver does not let a quad be made, or the reader does not prove it."""
    try:
        return not _proven(make_quad(SEED, index))
    except LookupError:
        return True


def suited(fault: Fault) -> Iterator[int]:
    pool = (index for index in range(SOUGHT) if fault.pool(due(index)))
    return islice((one for one in pool if (made := quad(one)) and fault.where(made) and proven(one)), DOZENS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_caught(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    usable(DOMAINS)
    tried = 0
    for index in suited(fault):
        tried += 1
        with monkeypatch.context() as patch:
            patch.setattr(making, "TRIES", TRIES)
            fault.plant(patch)
            if caught(index):
                return
    pytest.fail(f"not caught in {tried} quads that it could spoil")


def test_there_are_faults_of_all_kinds() -> None:
    assert len(FAULTS) >= 78
    sought = [due(index) for index in range(SOUGHT)]
    assert {hard.perturbation for hard in sought if any(one.pool(hard) for one in FAULTS)} == {*PerturbationClass}
    assert len({one.name for one in FAULTS}) == len(FAULTS)
