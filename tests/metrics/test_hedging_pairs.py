"""The two replies to a question: which pairs are kept, their differences, and the tests
of exchanging the arms.
"""

import math

import numpy as np
import pytest

from refusalbench_tasks.metrics.hedging_pairs import (
    index_coverage,
    pair_estimates,
    pairs,
)
from refusalbench_tasks.stats.cluster import bootstrap
from refusalbench_tasks.stats.paired import swap_test
from tests.metrics.bluff_table import ARMS, NAN, REFUSAL, reply, table

ROWS = (
    reply("a", "clear", confidence=0.9, hedges=1),
    reply("a", "ambiguous", confidence=0.6, hedges=2),
    reply("b", "clear", confidence=0.8),
    reply("b", "ambiguous", confidence=0.9),
    reply("c", "clear", hedges=2),
    reply("c", "ambiguous", hedges=1),
)


def test_a_pair_is_dropped_for_the_first_reason_that_holds() -> None:
    rows = (
        *ROWS[:2],
        reply("b", "clear"),
        reply("c", "clear", "grader_failed"),
        reply("c", "ambiguous", "truncated"),
        reply("d", "clear", "truncated"),
        reply("d", "ambiguous", **REFUSAL),
        reply("e", "clear", confidence=NAN),
        reply("e", "ambiguous", refusal_in_text=True),
        reply("f", "clear", confidence=NAN),
        reply("f", "ambiguous"),
    )
    found = pairs(table(*rows))
    assert dict(zip(found["item"], found["dropped"], strict=True)) == {
        "a": "",
        "b": "missing_arm",
        "c": "unscored",
        "d": "no_reply",
        "e": "refused",
        "f": "no_confidence",
    }
    assert index_coverage(table(*rows)) == pytest.approx(1 / 3)  # a of a, c and f
    assert math.isnan(index_coverage(table(*rows[3:][3:4])))


def test_pairs_are_by_question_and_epoch_and_resampled_by_what_is_asked() -> None:
    rows = [
        reply("a.1", arm, epoch=epoch, cluster="a") for arm in ARMS for epoch in (2, 1)
    ]
    found = pairs(table(*rows, reply("b", "ambiguous")))
    assert found[["item", "epoch", "unit"]].to_numpy().tolist() == [
        ["a.1", 1, "a"],
        ["a.1", 2, "a"],
        ["b", 1, "b"],
    ]
    assert len(set(pairs(table(*rows, cluster_by="row"))["unit"])) == 2


def test_the_paired_effects_by_hand() -> None:
    # confidence falls by .3, -.1 (doubled: -.2) and 0; density rises by .1, 0 and -.1
    found = pair_estimates(table(*ROWS), 200)
    index = np.array([0.2, -0.1, -0.05])
    exchanged = np.array([(-0.6 - 0.1) / 2, 0.05, 0.05])
    drops = np.array([0.3, -0.1, 0.0])
    hedging = np.array([0.1, 0.0, -0.1])
    assert {
        name: one.value for name, one in found.items() if not name.endswith("_p")
    } == pytest.approx(
        {
            "asi": index.mean(),
            "asi_null": (index + exchanged).mean() / 2,
            "confidence_drop": drops.mean(),
            "hedging_difference": 0,
            "confidence_sensitivity": 0.1 / 3,
            "hedging_sensitivity": 0,
        },
        abs=1e-12,
    )
    assert found["asi_p"].value == swap_test(index, exchanged, 200, ["a", "b", "c"])
    assert found["confidence_drop_p"].value == swap_test(
        drops, -drops, 200, ["a", "b", "c"]
    )
    sums = np.column_stack([index, drops, hedging, np.ones(3)])
    by_hand = bootstrap(sums, lambda part: part[..., :-1] / part[..., -1:], 200)
    for i, name in enumerate(("asi", "confidence_drop", "hedging_difference")):
        bounds = (found[name].low, found[name].high)
        assert bounds == pytest.approx((by_hand.low[i], by_hand.high[i]), abs=1e-12), (
            name
        )
    # of three questions the jackknife is s / sqrt(n)
    assert found["confidence_drop"].stderr == pytest.approx(
        drops.std(ddof=1) / math.sqrt(3)
    )


def test_the_released_differences_are_doubled_where_negative() -> None:
    found = pair_estimates(table(*ROWS, protocol="official-code"), 10)
    assert found["hedging_sensitivity"].value == pytest.approx((0.1 + 0 - 0.2) / 3)
    assert found["asi"].value == pytest.approx((0.2 - 0.1 - 0.1) / 3, abs=1e-12)
