"""Correlations over models."""

from refusalbench_tasks.report.figures.metric_charts import correlation_note


def test_a_correlation_has_an_interval_from_four_models_on() -> None:
    assert correlation_note([1, 2, 3], [1, 2, 4]) == "r = 0.98 over 3 models"
    assert correlation_note([1, 2, 3, 4], [4, 2, 3, 1]).startswith(
        "r = -0.80 [-1.00, 0."
    )
    assert correlation_note([1, 1, 1], [1, 2, 3]) == ""
    assert correlation_note([1, 2], [1, 2]) == ""
