"""Confidence intervals that claim no more than the data show."""

import math
from dataclasses import replace

from refusalbench_tasks.results.interval_rules import (
    safe_difference,
    safe_estimate,
)
from refusalbench_tasks.stats.estimate import Estimate


def test_what_has_no_width_and_no_bound_has_no_interval() -> None:
    flat = Estimate(0.3, 20, low=0.3, high=0.3, units=10)
    assert (
        safe_estimate(flat, share=True).low < 0.3 < safe_estimate(flat, share=True).high
    )
    assert math.isnan(safe_estimate(flat, share=False).low)
    assert math.isnan(safe_difference(flat, share=False).low)
    assert safe_difference(replace(flat, value=1.0), share=True).high == 1


def test_few_questions_have_no_ci_that_looks_sure() -> None:
    sure = Estimate(0.103, 2, low=0.1, high=0.107, units=2)
    assert not safe_estimate(sure, share=False).has_interval
    assert safe_estimate(sure, share=True).high > 0.7
    assert not safe_difference(sure, share=False).has_interval
    assert safe_difference(sure, share=True).high > 0.7
