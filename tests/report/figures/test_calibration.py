"""How sure replies are, of replies that are known by construction."""

from pathlib import Path

import pytest

from refusalbench_tasks.report.charts import Curves, Dots
from refusalbench_tasks.report.figures import calibration
from refusalbench_tasks.taxonomy import Label
from tests.report.figures.drawn import group, low, shown

A = Label.ANSWER


def test_a_reliability_point_rests_on_the_number_of_questions(tmp_path: Path) -> None:
    samples = [
        low(str(k), A, correct=k < 3, level="VERY_CONFIDENT", source_id=f"q{k // 2}")
        for k in range(4)
    ]
    of = group(tmp_path, {"m": samples})
    chart = shown(calibration.reliability_diagram(of))
    assert isinstance(chart, Curves)
    (point,) = chart.lines["m"]
    assert (point.y.value, point.y.n) == (0.75, 4)
    assert point.y.low < 0.2  # Wilson's of 1.5 of 2
    errors = shown(calibration.error_by_part(of))
    assert isinstance(errors, Dots)
    assert errors.series["all replies"][0].value == pytest.approx(
        abs(0.75 - point.x.value)
    )
