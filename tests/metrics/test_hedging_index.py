"""The formulas of BLUFF-1000, worked by hand."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.calibration import brier_score, equal_width, expected_calibration_error
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_index import (
    HedgeTable,
    asi,
    confidence_sensitivity,
    correlation,
    hedge_table,
    hedging_sensitivity,
    lexical_overconfidence,
    low_confidence_share,
    refusal_sensitivity,
    source_quality,
    source_set_on_hedging,
)
from refusalbench_tasks.metrics.hedging_row import hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.score_reading import plain
from tests.golden import golden, needs_golden
from tests.results.synthetic import hedging_sample

UNIT = st.floats(0, 1)
PAIRS = st.lists(st.tuples(UNIT, UNIT, UNIT, UNIT), min_size=1, max_size=30)


def test_confidence_that_falls_counts_once_and_that_rises_twice() -> None:
    assert confidence_sensitivity([0.9, 0.5], [0.6, 0.7]).tolist() == pytest.approx([0.3, -0.4])


def test_only_the_official_code_doubles_falling_hedging() -> None:
    assert hedging_sensitivity([0.02, 0.05], [0.05, 0.02]).tolist() == pytest.approx([0.03, -0.03])
    assert hedging_sensitivity([0.02, 0.05], [0.05, 0.02], "official-code").tolist() == pytest.approx([0.03, -0.06])


def test_asi_by_hand() -> None:
    values = asi([0.9, 0.5], [0.6, 0.7], [0.02, 0.05], [0.05, 0.02])
    assert values.tolist() == pytest.approx([(0.3 + 0.03) / 2, (-0.4 - 0.03) / 2])
    official = asi([0.9, 0.5], [0.6, 0.7], [0.02, 0.05], [0.05, 0.02], "official-code")
    assert official.tolist() == pytest.approx([(0.3 + 0.03) / 2, (-0.4 - 0.06) / 2])


def test_a_pair_with_an_unknown_value_is_unknown() -> None:
    assert math.isnan(asi([0.9], [math.nan], [0.1], [0.1])[0])


@given(PAIRS)
def test_noise_alone_makes_asi_negative(pairs: list[tuple[float, float, float, float]]) -> None:
    c1, c2, h1, h2 = map(np.array, zip(*pairs, strict=True))
    mean = (asi(c1, c2, h1, h2, "official-code") + asi(c2, c1, h2, h1, "official-code")).mean() / 2
    assert mean == pytest.approx(-(np.abs(c1 - c2).mean() + np.abs(h1 - h2).mean()) / 4)


def test_vui_by_hand() -> None:
    table = hedge_table([1, 1, 1, 0, 0, 1], [1, 1, 0, 1, 0, math.nan])
    assert table == HedgeTable(2, 1, 1, 1)
    assert table.precision == pytest.approx(2 / 3)
    assert table.recall == pytest.approx(2 / 3)
    assert table.vui == pytest.approx(2 / 3)
    assert table.base_rate == pytest.approx(3 / 5)
    assert table.lift == pytest.approx(10 / 9)
    assert table.odds_ratio == pytest.approx(2.5 * 1.5 / (1.5 * 1.5))
    assert table.vui_of_always_hedging == pytest.approx(2 * 3 / (5 + 3))


def test_an_empty_table_is_undefined_and_not_zero() -> None:
    table = hedge_table([], [])
    for value in (table.precision, table.recall, table.vui, table.base_rate, table.lift, table.odds_ratio):
        assert math.isnan(value)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=50))
def test_always_hedging_has_the_reference_vui(rows: list[tuple[bool, bool]]) -> None:
    wrong = [w for _, w in rows]
    always = hedge_table([True] * len(wrong), wrong)
    assert always.vui == pytest.approx(always.vui_of_always_hedging, nan_ok=True)
    assert always.lift == pytest.approx(1.0 if any(wrong) else math.nan, nan_ok=True)


def test_hedges_of_the_arms_are_counts_and_need_not_be_paired() -> None:
    assert source_set_on_hedging([1, 3], [4, 5, 6]) == 3.0
    assert math.isnan(source_set_on_hedging([1], []))


def test_lexical_overconfidence_is_over_wrong_answers_only() -> None:
    assert lexical_overconfidence([2, 5, 1], [20, 10, 50], [1, 0, 1]) == pytest.approx((0.1 + 0.02) / 2)
    assert math.isnan(lexical_overconfidence([2], [20], [0]))


def test_refusal_sensitivity_needs_both_arms() -> None:
    assert refusal_sensitivity([0, 0, 1, 0], [1, 1, 0, math.nan]) == pytest.approx(2 / 3 - 1 / 4)
    assert math.isnan(refusal_sensitivity([0, 1], []))


def test_the_percentile_definition_hardly_depends_on_the_model() -> None:
    assert low_confidence_share(np.arange(100) / 100) == pytest.approx(0.2)
    assert low_confidence_share([0.99] * 100) == 0.0
    assert math.isnan(low_confidence_share([math.nan]))


def test_source_quality_weights() -> None:
    assert source_quality(["reliable"] * 4 + ["unreliable"]) == pytest.approx(0.8)
    assert source_quality(["reliable", "unreliable", "unreliable", "distraction", "distraction"]) == pytest.approx(0.4)
    assert math.isnan(source_quality([]))


def test_correlation_agrees_with_numpy_and_needs_variance() -> None:
    x, y = [0.1, 0.4, 0.35, 0.8, math.nan], [1.0, 3.0, 2.0, 5.0, 9.0]
    assert correlation(x, y) == pytest.approx(np.corrcoef(x[:4], y[:4])[0, 1])
    assert math.isnan(correlation([0.5, 0.5], [0, 1]))
    assert math.isnan(correlation([], []))


def test_arrays_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="one length"):
        asi([0.1], [0.1, 0.2], [0], [0])


def test_a_confidence_of_one_is_in_the_last_bin_only_if_closed() -> None:
    assert equal_width([0.05, 0.999, 1.0], [0, 1, 0])[-1].n == 2
    assert equal_width([0.05, 0.999, 1.0], [0, 1, 0], closed=False)[-1].n == 1


def test_the_released_edges_are_numpys() -> None:
    stated = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.9]
    assert [b.n for b in equal_width(stated, [0] * 7)] == [0, 1, 1, 1, 1, 0, 1, 1, 0, 1]
    edges = np.linspace(0, 1, 11)
    released = [sum(low <= c < high for c in stated) for low, high in pairwise(edges)]
    assert [b.n for b in equal_width(stated, [0] * 7, closed=False)] == released == [0, 1, 2, 0, 1, 1, 1, 0, 0, 1]


def test_ece_by_hand() -> None:
    bins = equal_width([0.1, 0.2, 0.9, 0.9], [0.0, 0.0, 1.0, 0.5], bins=2)
    assert [(b.n, b.accuracy) for b in bins] == [(2, 0.0), (2, 0.75)]
    assert expected_calibration_error(bins) == pytest.approx((2 * 0.15 + 2 * 0.15) / 4)
    with pytest.raises(ValueError, match="lie in"):
        equal_width([math.nan], [0])


@needs_golden
def test_official_calibration_and_quality_agree_with_the_released_evaluator() -> None:
    vectors = golden("calibration")
    c, a = vectors["confidence"], vectors["accuracy"]
    bins = equal_width(c, a, closed=False)
    assert expected_calibration_error(bins, len(c)) == pytest.approx(vectors["ece"])
    assert brier_score(c, a) == pytest.approx(vectors["brier"])
    assert correlation(c, a) == pytest.approx(vectors["pearson"])
    for case in golden("source_quality"):
        assert source_quality(case["categories"]) == pytest.approx(case["quality"])


def test_no_refusal_anywhere_does_not_make_the_difference_certain() -> None:
    samples = [hedging_sample(f"q{k}", arm) for k in range(6) for arm in ("clear", "ambiguous")]
    found = effects(
        HedgingRows(hedging_row(one.metadata, plain(*(one.scores or {}).values())) for one in samples), 100, 0
    )
    low, high = found["refusal_sensitivity_ci_low"], found["refusal_sensitivity_ci_high"]
    # Wilson for 0 of 6 is [0, 0.390]
    assert low == pytest.approx(-0.390, abs=0.001)
    assert high == pytest.approx(0.390, abs=0.001)
    assert found["answer_correctness_ci_low"] == pytest.approx(1 - 0.390, abs=0.001)
