"""Sums by name, and the metrics that are functions of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from refusalbench_tasks.metrics.metric import Metric, Ratio
from refusalbench_tasks.metrics.named_sums import measured, named_sums, with_counts

SHARE = Metric(name="x", formula=Ratio("x", "n x"), n="n x", better="neither")


def test_a_metric_is_over_the_replies_of_its_arm() -> None:
    columns = with_counts({"x": np.array([1.0, 0.0, math.nan, 1.0])})
    places = np.array([0, 0, 0, 1])
    arms = {"first": np.array([1.0, 1.0, 0.0, 0.0])}
    sums = named_sums(columns, places, arms)
    total = sums.rows.sum(axis=0)
    metrics = [SHARE, replace(SHARE, arms=("first",))]
    assert sums.values(metrics, total).tolist() == pytest.approx([2 / 3, 1 / 2])
    assert sums.sizes(metrics, total).tolist() == [3, 2]


@pytest.mark.parametrize("undefined", [math.nan, 0.0])
def test_what_is_undefined_has_the_value_that_the_sums_name(undefined: float) -> None:
    columns = with_counts({"x": np.array([math.nan])})
    sums = named_sums(columns, np.array([0]), undefined=undefined)
    number = measured([SHARE], sums, resamples=0)["x"]
    assert number.value == pytest.approx(undefined, nan_ok=True)
    assert number.n == 0
