"""The metrics of BLUFF-1000 over a table of replies, by hand: what each protocol leaves
out, and what is not known.
"""

import math
from typing import Any

import numpy as np
import pytest

from refusalbench_tasks.metrics.hedging import arm_estimates, hedging_values
from tests.metrics.bluff_table import (
    ARMS,
    NAN,
    REFUSAL,
    ROWS,
    reply,
    table,
    told,
)


def test_the_papers_metrics_by_hand() -> None:
    found = hedging_values(table(*ROWS), 50)
    expected = {
        "answer_correctness": ((0.2 + 0.9 + 0.1 + 0.0 + 0.8) / 5, 5),  # answers alone
        "hedged_correctness": (0.55, 2),
        "plain_correctness": (0.45, 2),
        "hedged_correctness_difference": (0.1, 4),
        "lexical_overconfidence": ((0.2 + 0.1) / 2, 2),
        "brier": ((0.7**2 + 0.3**2 + 0.7**2 + 0.3**2 + 0.1**2) / 5, 5),
        "ece": ((0.7 + 0.3 + 0.7 + 0.3 + 0.1) / 5, 5),
        "confidence_mean": (3.3 / 5, 5),
        "source_awareness": (
            float(np.corrcoef([0.8, 0.2, 0.6], [0.9, 0.6, 0.8])[0, 1]),
            3,
        ),
        "source_diversity": (float(np.corrcoef([5, 3, 4], [0.9, 0.6, 0.8])[0, 1]), 3),
        "refusal_rate_p20": (1 / 5, 5),
        "refusal_rate_ambiguous": (1 / 3, 3),
        "no_reply_rate": (0, 6),
    }
    assert told(found, *expected) == {
        name: pytest.approx(pair) for name, pair in expected.items()
    }
    assert math.isnan(found["faithfulness"].value)
    assert found["faithfulness"].n == 0


def test_there_is_no_headline_where_most_of_its_pairs_are_not_measured() -> None:
    def pair(item: str, **told: Any) -> list[dict[str, Any]]:
        return [reply(item, arm, **told) for arm in ARMS]

    refused = [row for k in "xyz" for row in pair(k, **REFUSAL)]
    half = [
        *pair("a"),
        *pair("b"),
        *pair("c", confidence=NAN),
        *pair("d", reason="grader_failed"),
        *refused,
    ]
    assert hedging_values(table(*half), 10)["asi"].known
    less = hedging_values(table(*half, *pair("e", confidence=NAN)), 10)
    assert (less["asi"].known, less["asi"].n, less["confidence_drop"].known) == (
        False,
        2,
        True,
    )
    assert hedging_values(
        table(*half, *pair("e", confidence=NAN), protocol="official-code"), 10
    )["asi"].known


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_where_an_arm_is_missing_what_needs_it_is_unknown(protocol: str) -> None:
    found = hedging_values(
        table(*(reply(item, "clear") for item in "abc"), protocol=protocol), 10
    )
    assert (found["refusal_rate_clear"].n, found["refusal_rate_ambiguous"].n) == (3, 0)
    for name in (
        "asi",
        "source_set_on_hedging",
        "refusal_sensitivity",
        "refusal_rate_ambiguous",
        "confidence_drop",
    ):
        assert math.isnan(found[name].value), name


def test_errors_are_of_questions_or_rows_that_have_the_metric() -> None:
    # two epochs; question a refuses, b answers, and c has no reply that tells
    rows = [
        reply(item, arm, epoch=epoch, refused=refused)
        for item, refused in {"a": 1.0, "b": 0.0, "c": NAN}.items()
        for arm in ARMS
        for epoch in (1, 2)
    ]
    by_question, by_row = (
        hedging_values(table(*rows, cluster_by=how), 50)["refusal_rate"]
        for how in ("question", "row")
    )
    assert (by_question.units, by_row.units) == (2, 8)
    assert by_question.stderr == pytest.approx(0.5)  # s / sqrt(n) of 1 and 0
    assert by_row.stderr == pytest.approx(math.sqrt(8 * 0.25 / 7 / 8))


def test_each_arm_has_its_means_over_its_own_replies_and_others_are_told_too() -> None:
    more = (
        reply("a", "gold", confidence=0.99, hedges=1),
        reply("b", "none", confidence=0.0, **REFUSAL),
    )
    found = arm_estimates(table(*ROWS, *more), 50)
    assert told(
        found["answer_correctness"], "clear", "ambiguous", "difference", "gold", "none"
    ) == {
        "clear": pytest.approx((1.1 / 3, 3)),
        "ambiguous": pytest.approx((0.45, 2)),
        "difference": pytest.approx((0.45 - 1.1 / 3, 5)),
        "gold": (1.0, 1),
        "none": pytest.approx((NAN, 0), nan_ok=True),
    }
    assert told(found["hedge_rate"], "clear", "ambiguous") == {
        "clear": pytest.approx((1 / 3, 3)),
        "ambiguous": (1.0, 1),
    }
    assert found["ece"]["clear"].value == pytest.approx((0.7 + 0.7 + 0.1) / 3)
    # against the percentile of the paper's two arms
    assert found["refusal_rate_p20"]["none"].value == 1
    assert repr(hedging_values(table(*ROWS, *more), 20)) == repr(
        hedging_values(table(*ROWS), 20)
    )


def test_wording_is_told_of_answers_by_arm_and_agrees_or_not_with_the_list() -> None:
    def says(
        item: str, arm: str, firm: float, named: str, hedges: float, **more: Any
    ) -> dict[str, Any]:
        judged: dict[str, Any] = {
            "wording_judged": True,
            "decisiveness": firm,
            "named": named,
        }
        return reply(
            item, arm, **judged, hedges=hedges, hedge_strength=hedges / 2, **more
        )

    rows = (
        says("a", "clear", 1.0, "NEITHER", 0),
        says("b", "clear", 0.8, "NEITHER", 1),
        says("c", "clear", NAN, "GAP", 1),
        says("a", "ambiguous", 0.4, "CONFLICT", 2),
        says("b", "ambiguous", 0.6, "", 1),
        says("c", "ambiguous", 0.9, "GAP", 1, **REFUSAL),  # a refusal is no answer
    )
    found = hedging_values(table(*rows), 50)
    expected = {
        "decisiveness_clear": (0.9, 2),
        "decisiveness_difference": (-0.4, 4),
        "named_conflict_ambiguous": (1.0, 1),
        "named_gap_clear": (1 / 3, 3),
        "named_neither_difference": (-2 / 3, 4),
    }
    assert told(found, *expected) == {
        name: pytest.approx(pair) for name, pair in expected.items()
    }
    assert "decisiveness_clear" not in hedging_values(table(*ROWS), 10)
