"""When the lack of confidences is worth a warning."""

import math

import pytest

from refusalbench_tasks.metrics.missing_confidence import confidence_warning


def test_more_than_a_tenth_is_named_with_its_reasons() -> None:
    metrics = {"n": 20.0, "n_confidence_no_logprobs": 1.0, "n_confidence_low_mass": 2.0, "n_unscored": 5.0}
    assert confidence_warning(metrics) == "3 of 20 replies have no confidence (low mass 2, no logprobs 1)."


@pytest.mark.parametrize(
    "metrics",
    [
        {"n": 20.0, "n_confidence_low_mass": 2.0},  # a tenth, and no more
        {"n": 20.0, "n_confidence_not_asked": 20.0},
        {"n": 2.0, "n_confidence_low_mass": math.nan},
        {"n": 2.0, "confidence_mass": 2.0},
        {},
    ],
)
def test_otherwise_nothing_is_said(metrics: dict[str, float]) -> None:
    assert confidence_warning(metrics) is None


def test_what_was_not_asked_does_not_hide_what_is_missing() -> None:
    metrics = {"n_confidence_not_asked": 5.0, "n_confidence_low_mass": 1.0}
    assert confidence_warning(metrics) == "1 of 0 replies have no confidence (low mass 1)."
