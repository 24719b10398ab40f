"""AUROC and AURC of confidence and of hedging for being wrong, by hand."""

import math
from typing import Any

import pytest

from refusalbench_tasks.metrics.hedging_columns import hedging_columns
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.metrics.sign_tests import sign_estimates
from refusalbench_tasks.stats.estimate import Estimate
from tests.metrics.bluff_table import NAN, REFUSAL, reply, table

Z2 = 1.959963984540054**2


def of(*rows: dict[str, Any], resamples: int = 50, **same: Any) -> dict[str, Estimate]:
    made = table(*rows, **same)
    return sign_estimates(hedging_columns(made), cluster_index(made), resamples)


def bounds(one: Estimate) -> tuple[float, float, float]:
    return one.value, one.low, one.high


def test_the_areas_by_hand() -> None:
    found = of(
        reply("a", "clear", confidence=0.9),
        reply("b", "clear", confidence=0.6, correctness=0.4, hedges=2),
        reply("c", "clear", confidence=0.6, correctness=0.8, hedges=1),
        reply("d", "clear", confidence=0.95, correctness=0.0, hedges=1),
        reply("e", "clear", confidence=NAN, correctness=0.2),
        reply("f", "clear", hedges=5, **REFUSAL),
        reply("g", "clear", correctness=0.0, refusal_in_text=True),
        resamples=100,
    )
    # wrong: b (.6) and d (.95); right: a (.9), c (.6). Lower is b than a, and as high
    # as c: 1.5 of 4 pairs
    assert (
        found["auroc_confidence"].value,
        found["auroc_confidence"].n,
    ) == pytest.approx((1.5 / 4, 4))
    # kept first: d with a risk of 1, a with 0, then b (.6) and c (.2) in either order:
    # .4 each
    assert found["aurc_confidence"].value == pytest.approx(
        (1 / 1 + 1 / 2 + 1.4 / 3 + 1.8 / 4) / 4
    )
    # hedges: wrong 2 1 0 against right 0 1: 2 + 1.5 + .5 of 6 pairs
    assert (found["auroc_hedging"].value, found["auroc_hedging"].n) == pytest.approx(
        (4 / 6, 5)
    )
    # kept first: a and e at a risk of .4 each, then c and d at .6, then b
    assert found["aurc_hedging"].value == pytest.approx(
        (0.4 + 0.8 / 2 + 1.4 / 3 + 2.0 / 4 + 2.6 / 5) / 5
    )
    assert all(one.low <= one.value <= one.high for one in found.values())


@pytest.mark.parametrize(
    ("wrong", "right", "pairs"),
    [
        ("ab", "cdef", 2),
        ("a", "b", 1),
        ("ab", "bc", 1),  # b has both, and can be of one pair only: (a, b) or (b, c)
        ("abc", "abc", 1),
    ],
)
def test_a_perfect_auroc_is_not_certain(wrong: str, right: str, pairs: int) -> None:
    rows = [reply(q, "clear", confidence=0.1, correctness=0.0) for q in wrong]
    rows += [reply(q, "clear", epoch=2, confidence=0.9) for q in right]
    # Wilson's interval of k of k: from k / (k + z^2)
    assert bounds(of(*rows)["auroc_confidence"]) == pytest.approx(
        (1, pairs / (pairs + Z2), 1)
    )


def test_an_area_without_risk_has_the_interval_of_no_risk_in_its_questions() -> None:
    found = of(*(reply(q, "clear", epoch=k) for k, q in enumerate("aabc")))[
        "aurc_confidence"
    ]
    assert bounds(found) == pytest.approx((0, 0, Z2 / (3 + Z2)))
    assert math.isnan(of(reply("a", "clear"))["aurc_confidence"].high)
    assert math.isnan(
        of(reply("a", "clear"), reply("b", "clear"))["auroc_confidence"].value
    )
