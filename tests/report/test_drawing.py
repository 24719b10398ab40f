"""What a picture shows of a chart."""

from functools import partial
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from refusalbench_tasks.report.charts import BarMarks, Bars, Curves, Mark, Point, Scatter, Stacks, Value
from refusalbench_tasks.report.drawing.bars import draw_bars
from refusalbench_tasks.report.drawing.curves import draw_curves
from refusalbench_tasks.report.drawing.picture import picture
from refusalbench_tasks.report.drawing.scatter import draw_scatter
from refusalbench_tasks.report.drawing.stacks import draw_stacks
from refusalbench_tasks.report.drawing.style import INK, LONGEST, colour, shown_names

FIGURES = partial(Figure, layout="constrained")


def laid_out(figure: Any) -> Any:
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    return figure


def texts(figure: Any) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_a_zero_is_seen_and_is_not_undefined() -> None:
    chart = Bars(["a", "b"], {"s": [Value(0.0, 0.0, 0.0), Value(float("nan"))]}, "", limits=None)
    figure = laid_out(draw_bars(chart, FIGURES))
    assert texts(figure) == [" 0", " undefined"]
    assert figure.axes[0].get_xlim() == (-1, 1)


def test_marks_and_numbers_stand_beside_their_bars() -> None:
    chart = Bars(["a"], {"s": [Value(0.5)]}, "", marks=[BarMarks("null", "s", [0.2])], notes={"p": [0.0001]})
    svg = picture(chart).svg
    assert "null" in svg
    assert "p &lt; 0.001" in svg


def test_every_point_has_its_name_and_no_name_covers_another() -> None:
    marks = [Mark(f"a model with a long name {k}", Value(0.5 + k / 100), Value(0.5)) for k in range(9)]
    figure = laid_out(draw_scatter(Scatter(marks, "x", "y"), FIGURES))
    written = figure.axes[0].texts
    assert sorted(text.get_text() for text in written) == sorted(mark.name for mark in marks)
    # the page turns the ink, and no other black, into its own
    assert {text.get_color() for text in written} == {INK}
    boxes = [text.get_window_extent() for text in written]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_equal_charts_give_equal_pictures() -> None:
    chart = Scatter([Mark(f"m{k}", Value(0.5, 0.4, 0.6), Value(0.5 + k / 50)) for k in range(5)], "x", "y")
    assert picture(chart) == picture(chart)


def test_an_axis_with_one_value_has_a_scale() -> None:
    chart = Scatter([Mark("a", Value(0.0), Value(0.5))], "x", "y", limits=None, x_limits=None)
    low, high = laid_out(draw_scatter(chart, FIGURES)).axes[0].get_xlim()
    assert low < -0.4
    assert high > 0.4


def test_points_that_are_not_joined_are_as_large_as_their_n() -> None:
    points = [Point(0.2, Value(0.5, 0.1, 0.9, 1)), Point(0.8, Value(0.5, 0.4, 0.6, 100))]
    figure = laid_out(draw_curves(Curves({"m": points}, "x", "y", joined=False), FIGURES))
    axes = figure.axes[0]
    small, large = axes.collections[0].get_sizes()
    assert small * 5 < large
    assert not list(axes.lines)
    assert axes.get_title(loc="right") == "size by n; the largest: n = 100"


@pytest.mark.parametrize(
    ("names", "drawn"),
    [
        (["short", "short"], ["short [1]", "short [2]"]),
        (
            [f"a-very-long-family-of-models-with-a-name/8b-{end}" for end in ("chat", "base")],
            ["…chat", "…base"],
        ),
    ],
)
def test_what_tells_long_names_apart_stays(names: list[str], drawn: list[str]) -> None:
    assert shown_names(names) == drawn
    assert all(len(name) <= LONGEST for name in drawn)


def test_a_part_of_a_stack_has_its_own_colour_whatever_its_place() -> None:
    chart = Stacks(["a"], {"x": [0.5], "missed refusal": [0.5]}, [2], {"missed refusal": "#d55e00"})
    figure = laid_out(draw_stacks(chart, FIGURES))
    assert [to_hex(bar.get_facecolor()) for bar in figure.axes[0].patches] == [colour(0), "#d55e00"]
