"""The figures of BLUFF-1000."""

from pathlib import Path

import pytest

from refusalbench_tasks.report.figures import hedges as hedging
from tests.report.figures.drawn import group, shown
from tests.results.synthetic import hedging_sample


def test_figures_of_bluff_show_index_and_hedges_beside_their_baselines(
    tmp_path: Path,
) -> None:
    samples = []
    for k in range(6):
        wrong = {"correctness": 0.0, "hedges": 2.0} if k < 2 else {}
        samples.append(hedging_sample(f"q{k}", "clear", confidence=0.9))
        samples.append(hedging_sample(f"q{k}", "ambiguous", confidence=0.5, **wrong))
    of = group(tmp_path, {"m": samples}, task="bluff", scorer="hedging_scores")
    chart = shown(hedging.index(of))
    assert chart.series["ASI"][0].value > chart.marks["ASI"][0]
    hedges = shown(hedging.hedge_quality(of))
    assert hedges.series["hedge precision"][0].value == 1
    assert hedges.marks["hedge precision"] == [pytest.approx(1 / 6)]
    assert (
        shown(hedging.against("refusal_count", "answer_correctness")(of))
        .points["m"]
        .x.value
        == 0
    )
