"""Risk against coverage."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.selective import risk_coverage

REPLIES = st.lists(st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.sampled_from([0.0, 1.0])), min_size=1, max_size=6)


def test_a_curve_by_hand() -> None:
    curve = risk_coverage([0.9, 0.5, 0.9, 0.1], [0, 1, 1, 1])
    assert curve.coverage.tolist() == [0.5, 0.75, 1.0]
    assert curve.risk.tolist() == pytest.approx([0.5, 2 / 3, 0.75])
    # ties: half an error is expected after the first reply, one after the second
    assert curve.area == pytest.approx((0.5 / 1 + 1 / 2 + 2 / 3 + 3 / 4) / 4)


def test_sure_when_right_is_the_best_order() -> None:
    best = risk_coverage([4, 3, 2, 1], [0, 0, 1, 1]).area
    worst = risk_coverage([1, 2, 3, 4], [0, 0, 1, 1]).area
    assert best == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert worst == pytest.approx((1 + 1 + 2 / 3 + 1 / 2) / 4)


@given(REPLIES)
def test_the_area_is_the_mean_over_all_orders_of_ties(replies: list[tuple[float, float]]) -> None:
    confidence, wrong = zip(*replies, strict=True)
    areas = []
    for order in itertools.permutations(range(len(replies))):
        if all(confidence[a] >= confidence[b] for a, b in itertools.pairwise(order)):
            errors = np.cumsum([wrong[i] for i in order])
            areas.append(np.mean(errors / np.arange(1, len(order) + 1)))
    assert risk_coverage(confidence, wrong).area == pytest.approx(np.mean(areas))


@given(REPLIES)
def test_everything_kept_risks_the_share_of_errors(replies: list[tuple[float, float]]) -> None:
    confidence, wrong = zip(*replies, strict=True)
    curve = risk_coverage(confidence, wrong)
    assert curve.coverage[-1] == 1
    assert curve.risk[-1] == pytest.approx(np.mean(wrong))
    assert (np.diff(curve.coverage) > 0).all()


def test_nothing_has_no_area() -> None:
    curve = risk_coverage([], [])
    assert math.isnan(curve.area)
    assert len(curve.risk) == 0


@pytest.mark.parametrize(
    ("confidence", "wrong"), [([0.5], [0.0, 1.0]), ([math.nan], [0.0]), ([0.5], [math.nan]), ([[0.5]], [[1.0]])]
)
def test_unknown_values_are_refused(confidence: Any, wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"NaN|one length"):
        risk_coverage(confidence, wrong)
