"""What a grader says of wording, its agreement with the list, and the bias of the letters, by hand."""

import math
from typing import Any

import numpy as np
import pytest

from refusalbench_tasks.metrics.hedging_judged import position_values, wording_values
from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.scored_row import Scored

NUMBERS = {"refused": 0.0, "correctness": 1.0, "confidence": 0.5, "hedges": 0.0, "words": 10.0, "unscored": 0.0}


def row(question: str, arm: str, about: dict[str, Any], **numbers: float) -> HedgingRow:
    return hedging_row({"source_id": question, "arm": arm}, Scored(NUMBERS | numbers, notes=about))


def says(decisiveness: float | None, named: str | None) -> dict[str, Any]:
    return {"decisiveness": decisiveness, "named": named}


ROWS = HedgingRows(
    [
        row("a", "clear", says(1.0, "NEITHER"), hedges=0, hedge_strength=0.0),
        row("b", "clear", says(0.8, "NEITHER"), hedges=1, hedge_strength=0.2),
        row("c", "clear", says(None, "GAP"), hedges=1, hedge_strength=0.9),
        row("a", "ambiguous", says(0.4, "CONFLICT"), hedges=2, hedge_strength=1.1),
        row("b", "ambiguous", says(0.6, None), hedges=1, hedge_strength=0.5),
        row("c", "ambiguous", says(0.9, "GAP"), refused=1, correctness=math.nan),
    ]
)


def test_wording_is_told_of_answers_by_arm() -> None:
    m = wording_values(ROWS, 50)
    expected = {
        "decisiveness_clear": (0.9, 2),
        "decisiveness_ambiguous": (0.5, 2),
        "decisiveness_difference": (-0.4, 4),
        "named_conflict_clear": (0.0, 3),
        "named_conflict_ambiguous": (1.0, 1),
        "named_gap_clear": (1 / 3, 3),
        "named_gap_ambiguous": (0.0, 1),  # the refusal is no answer
        "named_neither_difference": (-2 / 3, 4),
    }
    assert {name: m[name] for name in expected} == pytest.approx({name: value for name, (value, _) in expected.items()})
    assert {name: m[f"{name}_n"] for name in expected} == {name: n for name, (_, n) in expected.items()}
    assert m["n_wording_unjudged"] == 1
    assert m["decisiveness_difference_ci_low"] <= -0.4 <= m["decisiveness_difference_ci_high"]


def test_shares_that_are_all_or_nothing_are_not_certain() -> None:
    rows = [row(q, arm, says(0.5, name)) for arm, name in (("clear", "GAP"), ("ambiguous", "CONFLICT")) for q in "abc"]
    m = wording_values(HedgingRows(rows), 50)
    bound = 1.959964**2 / (3 + 1.959964**2)  # Wilson's of 0 of 3
    assert (m["named_conflict_clear_ci_low"], m["named_conflict_clear_ci_high"]) == pytest.approx((0, bound), abs=1e-6)
    assert m["named_conflict_difference_ci_low"] == pytest.approx(1 - math.sqrt(2) * bound)
    assert m["decisiveness_difference_ci_low"] == m["decisiveness_difference_ci_high"] == 0  # one value for all


def test_agreement_is_the_correlation_with_the_list() -> None:
    m, firm = wording_values(ROWS, 50), [1.0, 0.8, 0.4, 0.6]
    strength, hedged = np.corrcoef(firm, [0.0, 0.2, 1.1, 0.5])[0, 1], np.corrcoef(firm, [0, 1, 1, 1])[0, 1]
    assert m["decisiveness_hedge_strength_correlation"] == pytest.approx(strength)
    assert m["decisiveness_hedged_correlation"] == pytest.approx(hedged)
    assert m["decisiveness_hedge_strength_correlation_n"] == m["decisiveness_hedged_correlation_n"] == 4
    assert m["decisiveness_hedged_correlation_ci_low"] <= hedged


def test_nobody_asked_is_nothing_and_no_spread_is_undefined() -> None:
    assert wording_values(HedgingRows([row("a", "clear", {})])) == {}
    m = wording_values(HedgingRows([row("a", "clear", says(None, None)), row("b", "clear", says(0.5, None))]), 5)
    assert math.isnan(m["decisiveness_hedged_correlation"])
    assert math.isnan(m["decisiveness_ambiguous"])
    assert (m["named_gap_clear_n"], m["decisiveness_clear_n"], m["n_wording_unjudged"]) == (0, 1, 1)


def test_the_bias_of_position_is_the_mean_difference_of_the_orders() -> None:
    orders = [[0.9, 0.5], [0.2, 0.3], []]
    rows = HedgingRows(row(f"q{k}", "clear", {"confidence": {"orders": two}}) for k, two in enumerate(orders))
    m = position_values(rows, 50)
    assert (m["position_bias"], m["position_bias_n"]) == pytest.approx((0.15, 2))
    assert m["position_bias_ci_low"] <= 0.15 <= m["position_bias_ci_high"]
    assert position_values(HedgingRows(rows[2:])) == {}
