"""Two runs of `bluff`, reply by reply and pair by pair."""

from typing import Any

import pytest
from inspect_ai.log import EvalSample

from tests.results.paired_runs import one, pairs
from tests.results.synthetic import NAN, hedging_sample, run


def of_bluff(a: list[EvalSample], b: list[EvalSample]) -> dict[str, Any]:
    return one(run(a, "a", "bluff"), run(b, "b", "bluff"))


def test_paired_measures_differ_by_what_was_built_in() -> None:
    got = of_bluff(pairs(0.1), pairs(0.5, hedges=2.0))
    assert got["confidence_drop"].difference.value == pytest.approx(0.4)
    assert got["hedging_difference"].difference.value == pytest.approx(0.2)
    assert got["asi"].difference.value == pytest.approx((0.4 + 0.2) / 2)
    assert (got["made"].counts["n"], got["made"].counts["questions"]) == (20, 10)


def test_an_answer_ungraded_in_one_run_is_graded_in_none() -> None:
    a = pairs(0.1)
    b = pairs(0.1)
    a[0] = hedging_sample("q0", "clear", correctness=0.0, confidence=0.9)
    b[0] = hedging_sample("q0", "clear", correctness=NAN, confidence=0.9)
    got = of_bluff(a, b)
    assert got["answer_correctness"].a == got["answer_correctness"].b == 1.0
    assert got["right"].n == 19
