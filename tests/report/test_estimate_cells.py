"""Estimates as cells of tables."""

from refusalbench_tasks.report.estimate_cells import row_of_estimates
from refusalbench_tasks.stats.estimate import Estimate


def test_an_estimate_is_its_value_its_bounds_and_its_n_under_its_heading() -> None:
    row = row_of_estimates(
        {"system": "m"}, {"ece": Estimate(0.2, 9, low=0.1, high=0.4)}
    )
    assert row == {
        "system": "m",
        "ECE": 0.2,
        "ECE low": 0.1,
        "ECE high": 0.4,
        "ECE n": 9,
    }
