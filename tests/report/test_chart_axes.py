"""Bars, drawn."""

from refusalbench_tasks.report.drawing import draw_chart
from refusalbench_tasks.report.styles import PAPER
from tests.report.sample_charts import CHARTS


def test_counts_have_no_axis_of_shares_and_stand_on_a_patch() -> None:
    svg = draw_chart(CHARTS["stacks"], {}, "stacks").svg
    assert ">0.2</text>" not in svg
    before, number, _ = svg.partition(">3</text>")
    assert number
    assert f'style="fill: {PAPER}"/>' in before[-400:]


def test_a_part_has_its_pattern_in_bar_and_legend() -> None:
    svg = draw_chart(CHARTS["stacks"], {}, "stacks").svg
    assert svg.count("fill: url(#") >= 2
