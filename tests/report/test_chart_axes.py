"""Each kind of chart, drawn."""

import re

import pytest

from refusalbench_tasks.report.charts import Point, Scatter
from refusalbench_tasks.report.drawing import draw_chart
from refusalbench_tasks.report.styles import INK, PAPER, Look
from refusalbench_tasks.stats.estimate import Estimate
from tests.report.sample_charts import CHARTS, EVIL, ONE


def test_a_system_has_its_colour_in_every_kind_of_chart() -> None:
    look = Look(3)
    for name in ("dots", "scatter", "curve"):
        assert look.colour in draw_chart(CHARTS[name], {EVIL: look}, name).svg


def test_counts_have_no_axis_of_shares_and_numbers_on_stripes_a_patch() -> None:
    svg = draw_chart(CHARTS["stacks"], {}, "stacks").svg
    assert ">0.2</text>" not in svg
    before, number, _ = svg.partition(">3</text>")
    assert number
    assert f'style="fill: {PAPER}"/>' in before[-400:]
    assert f"fill: {INK}" in before[-200:]


def test_points_at_one_x_stand_side_by_side() -> None:
    low, high = Point(ONE, Estimate(0.2)), Point(ONE, Estimate(0.8))
    svg = draw_chart(Scatter({"low": low, "high": high}, "x", "y"), {}, "scatter").svg
    places = []
    for k in range(2):
        marks = re.findall(rf' x="([\d.]+)" [^>]*fill: {Look(k).colour}', svg)
        places.append(float(marks[0]))
    assert places[1] - places[0] == pytest.approx(2.88)
