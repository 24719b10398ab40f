"""The tables of runs of `bluff`."""

import pytest

from refusalbench_tasks.report.hedging_tables import hedging_overview, hedging_tables
from refusalbench_tasks.results.run_view import RunView
from tests.results.frozen_runs import group_of
from tests.results.synthetic import hedging_sample, run

SAMPLES = [
    hedging_sample(f"q{k}", arm, refused=float(arm == "ambiguous" and k % 2))
    for k in range(6)
    for arm in ("clear", "ambiguous")
]


def test_tables_have_the_numbers_of_the_run_by_arm_and_with_n() -> None:
    bluff = run(SAMPLES, task="bluff")
    group = group_of(bluff)
    [overview] = hedging_overview(group).rows
    numbers = RunView(bluff).numbers
    assert overview["refusal rate"] == numbers["refusal_rate"].value == 0.25
    assert overview["refusal rate n"] == 12
    arms, factors, conflicts = hedging_tables(group)
    rates = {row["arm"]: row["refusal rate"] for row in arms.rows}
    assert rates == {
        "clear": 0,
        "ambiguous": 0.5,
        "ambiguous - clear": pytest.approx(0.5),
    }
    # the data tell nothing of factors
    assert factors.rows == conflicts.rows == []
