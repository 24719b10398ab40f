"""The formulas of BLUFF-1000, worked by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.calibration import bin_index
from refusalbench_tasks.metrics.hedging import hedging_values
from refusalbench_tasks.metrics.hedging_pairs import asi
from tests.golden import golden, needs_golden
from tests.metrics.bluff_table import reply, table

UNIT = st.floats(0, 1)
PAIRS = st.lists(st.tuples(UNIT, UNIT, UNIT, UNIT), min_size=1, max_size=30)


def test_asi_by_hand() -> None:
    values = asi(([0.9, 0.5], [0.6, 0.7]), ([0.02, 0.05], [0.05, 0.02]))
    assert values.tolist() == pytest.approx([(0.3 + 0.03) / 2, (-0.4 - 0.03) / 2])
    official = asi(
        ([0.9, 0.5], [0.6, 0.7]), ([0.02, 0.05], [0.05, 0.02]), "official-code"
    )
    assert official.tolist() == pytest.approx([(0.3 + 0.03) / 2, (-0.4 - 0.06) / 2])


@given(PAIRS)
def test_noise_alone_makes_asi_negative(
    pairs: list[tuple[float, float, float, float]],
) -> None:
    c1, c2, h1, h2 = map(np.array, zip(*pairs, strict=True))
    mean = (
        asi((c1, c2), (h1, h2), "official-code")
        + asi((c2, c1), (h2, h1), "official-code")
    ).mean() / 2
    assert mean == pytest.approx(-(np.abs(c1 - c2).mean() + np.abs(h1 - h2).mean()) / 4)


def in_bins(stated: list[float], bins: int = 10, closed: bool = True) -> list[int]:
    """Return how many confidences are in each bin."""
    index = bin_index(stated, bins, closed)
    counts: list[int] = np.bincount(index[index < bins], minlength=bins).tolist()
    return counts


def test_a_confidence_of_one_is_in_the_last_bin_only_if_closed() -> None:
    assert in_bins([0.05, 0.999, 1.0])[-1] == 2
    assert in_bins([0.05, 0.999, 1.0], closed=False)[-1] == 1


def test_the_released_edges_are_numpys() -> None:
    stated = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.9]
    assert in_bins(stated) == [0, 1, 1, 1, 1, 0, 1, 1, 0, 1]
    edges = np.linspace(0, 1, 11)
    released = [sum(low <= c < high for c in stated) for low, high in pairwise(edges)]
    assert in_bins(stated, closed=False) == released == [0, 1, 2, 0, 1, 1, 1, 0, 0, 1]


def test_bins_by_hand() -> None:
    assert in_bins([0.1, 0.2, 0.9, 0.9], bins=2) == [2, 2]


@needs_golden
def test_official_calibration_agrees_with_the_released_evaluator() -> None:
    vectors = golden("calibration")
    c = vectors["confidence"]
    a = vectors["accuracy"]
    rows = [
        reply(f"q{k}", "clear", confidence=one, correctness=a[k])
        for k, one in enumerate(c)
    ]
    found = hedging_values(table(*rows, protocol="official-code"), 0)
    assert (found["ece"].value, found["brier"].value) == pytest.approx(
        (vectors["ece"], vectors["brier"])
    )
    assert found["confidence_accuracy_correlation"].value == pytest.approx(
        vectors["pearson"]
    )
