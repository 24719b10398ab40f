"""Points and lines on two axes, drawn."""

import re

from refusalbench_tasks.report.charts import Curves, Point, Scatter
from refusalbench_tasks.report.drawing import draw_chart
from refusalbench_tasks.report.styles import Look
from refusalbench_tasks.stats.estimate import Estimate
from tests.report.sample_charts import CHARTS, EVIL, ONE


def marks(svg: str, look: Look) -> list[tuple[str, str]]:
    """Return where the marks of a look stand."""
    return re.findall(rf' x="([\d.]+)" y="([\d.]+)" [^>]*{look.colour}', svg)


def test_a_system_has_its_colour_in_every_kind_of_chart() -> None:
    look = Look(3)
    for name in ("dots", "scatter", "curve"):
        assert look.colour in draw_chart(CHARTS[name], {EVIL: look}, name).svg


def test_points_stand_at_their_values_whoever_else_is_there() -> None:
    low, high = Point(ONE, Estimate(0.2)), Point(ONE, Estimate(0.8))
    chart = Scatter({"low": low, "high": high}, "x", "y")
    first, second = (marks(draw_chart(chart, {}, "s").svg, Look(k))[0] for k in (0, 1))
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_points_of_one_place_are_seen_as_rims_around_each_other() -> None:
    point = Point(ONE, ONE)
    svg = draw_chart(Scatter({"a": point, "b": point}, "x", "y"), {}, "scatter").svg
    [first], [second] = (marks(svg, Look(k))[:1] for k in (0, 1))
    assert first == second
    assert f"fill: {Look(0).colour}" in svg
    # nothing is filled in the second's colour: the first is seen within it
    assert f"fill: {Look(1).colour}" not in svg


def test_lines_have_hollow_marks_at_their_values() -> None:
    lines = {name: [Point(Estimate(0.5), ONE)] for name in ("a", "b")}
    svg = draw_chart(Curves(lines, "x"), {}, "curve").svg
    [first], [second] = (marks(svg, Look(k))[:1] for k in (0, 1))
    assert first == second
    assert f"fill: {Look(1).colour}" not in svg
