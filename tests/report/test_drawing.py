"""What a picture shows of a chart."""

import io
import math
import re
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from refusalbench_tasks.report.charts import BarMarks, Bars, Curves, HeatMap, HeatMaps, Mark, Point, Scatter, Stacks
from refusalbench_tasks.report.drawing.axes import Scale, fitted
from refusalbench_tasks.report.drawing.bitmap import ZOOM
from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.name_places import Box, placed
from refusalbench_tasks.report.drawing.picture import picture, scene_of
from refusalbench_tasks.report.drawing.scene import Area, Group, Item, Scene, Text
from refusalbench_tasks.report.drawing.style import COLOURS, INK, LONGEST, SERIES, colour, shown_names
from refusalbench_tasks.report.drawing.svg import svgs
from refusalbench_tasks.report.value import Value

NAN = float("nan")
MODELS = ["gpt-4o-2024-08-06", "claude-sonnet-4-5-20250929", "gemini-2.5-flash-preview-05-20"]
LOOKS = {name: k for k, name in enumerate(MODELS)}


def every(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from every(item.items)


def texts(scene: Scene) -> list[str]:
    return [item.text for item in every(scene.items) if isinstance(item, Text)]


def tips(scene: Scene) -> list[str]:
    return [item.tip for item in every(scene.items) if isinstance(item, Group) and item.tip]


def fills(scene: Scene) -> set[str]:
    return {item.fill for item in every(scene.items) if isinstance(item, Area) and item.fill}


def bars(**changes: object) -> Bars:
    values = [Value(0.2 + k / 5, 0.1 + k / 5, 0.3 + k / 5, 100 + k) for k in range(len(MODELS))]
    return Bars(MODELS, {"first": values, "second": values}, "share", **changes)  # type: ignore[arg-type]


def test_a_zero_is_seen_and_is_not_undefined() -> None:
    drawn = scene_of(Bars(["a", "b"], {"s": [Value(0.0, 0.0, 0.0), Value(NAN)]}, "", limits=None))
    assert {"0", "undefined"} <= set(texts(drawn))
    assert tips(drawn) == ["a, s: 0.000 [0.000, 0.000]", "b, s: undefined"]


def test_every_bar_tells_its_value_interval_and_n() -> None:
    drawn = scene_of(bars())
    assert f"{MODELS[0]}, first: 0.200 [0.100, 0.300], n=100" in tips(drawn)
    assert texts(drawn).count("n=102") == 2


def test_a_model_has_its_colour_in_bars_and_a_series_none_of_the_models() -> None:
    assert {colour(k) for k in range(3)} <= fills(scene_of(bars(looks=LOOKS)))
    plain = fills(scene_of(bars()))
    assert set(SERIES[:2]) <= plain
    assert not plain & set(COLOURS)
    assert not set(SERIES) & set(COLOURS)


def test_many_series_of_models_have_a_panel_each() -> None:
    values = [Value(0.5, n=7)] * len(MODELS)
    drawn = scene_of(Bars(MODELS, {f"part {k}": values for k in range(5)}, "", looks=LOOKS))
    # three panels in a row: the names stand left of both rows
    assert texts(drawn).count(MODELS[0]) == 2
    assert {f"part {k}" for k in range(5)} <= set(texts(drawn))


def test_marks_and_numbers_stand_beside_their_bars() -> None:
    chart = Bars(["a"], {"s": [Value(0.5)]}, "", marks=[BarMarks("null", "s", [0.2])], notes={"p": [0.0001]})
    svg = picture(chart).svg
    assert "null" in svg
    assert "a, null: 0.200" in svg
    assert "p &lt; 0.001" in svg


def test_a_picture_is_a_png_of_its_size_and_svg_that_can_be_parsed() -> None:
    drawn = picture(bars(), "shares")
    scene = scene_of(bars())
    image = Image.open(io.BytesIO(drawn.png))
    assert image.size == (round(scene.width * ZOOM), round(scene.height * ZOOM))
    # the first model's bar is where its SVG says: its colour is in the picture
    assert image.getcolors(1 << 20) is not None
    ElementTree.fromstring(drawn.svg)
    ElementTree.fromstring(drawn.on_page)
    assert 'aria-label="shares"' in drawn.on_page
    assert INK not in drawn.on_page
    assert INK in drawn.svg


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a & b", "$x_1$"])
def test_outside_text_is_text_in_every_picture(name: str) -> None:
    one = Value(0.5, 0.4, 0.6, 9)
    charts = (
        Bars([name], {name: [one]}, name, looks={name: 0}),
        Stacks([name], {name: [1.0]}, [3]),
        HeatMap([name], [name], [[0.5]], [[3]], row_axis=name, column_axis=name),
        HeatMaps({name: HeatMap([name], [name], [[0.5]], [[3]])}),
        Curves({name: [Point(0.5, one)]}, name, name),
        Scatter([Mark(name, one, one)], name, name, note=name),
    )
    for chart in charts:
        _, drawn = svgs(scene_of(chart), name)
        root = ElementTree.fromstring(drawn)
        assert {element.tag for element in root.iter()} <= {"svg", "g", "path", "text", "title"}
        assert not any(key.startswith("on") for element in root.iter() for key in element.attrib)


def boxes(scene: Scene, names: list[str]) -> list[Box]:
    """The boxes of the names that stand beside points: their size is 10."""
    found = [item for item in every(scene.items) if isinstance(item, Text) and item.size == 10 and item.text in names]
    return [Box(t.x, t.y - 9, t.x + width_of(t.text, 10), t.y + 2) for t in found]


def test_every_point_has_its_name_and_no_name_covers_another() -> None:
    marks = [Mark(f"a model with a long name {k}", Value(0.5 + k / 100), Value(0.5)) for k in range(9)]
    found = boxes(scene_of(Scatter(marks, "x", "y")), [mark.name for mark in marks])
    assert len(found) == len(marks)
    assert not any(one.covers(other) for one, other in combinations(found, 2))


@given(st.lists(st.tuples(st.floats(60, 640), st.floats(60, 360)), min_size=1, max_size=9))
def test_names_stay_in_the_room_and_cover_no_other_where_there_is_room(points: list[tuple[float, float]]) -> None:
    room = Box(0, 0, 720, 420)
    found = placed(points, [f"model {k}" for k in range(len(points))], [], room)
    assert all(room.holds(one) for one in found)
    assert sum(one.covers(other) for one, other in combinations(found, 2)) == 0


def test_equal_charts_give_equal_pictures() -> None:
    chart = Scatter([Mark(f"m{k}", Value(0.5, 0.4, 0.6), Value(0.5 + k / 50)) for k in range(5)], "x", "y")
    assert picture(chart) == picture(chart)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5))
@example([0.0, 5e-324])
@example([1e6, math.nextafter(1e6, 2e6)])
def test_a_fitted_axis_holds_its_values_and_has_round_numbers_in_it(values: list[float]) -> None:
    scale = fitted(values, 0.0, 100.0)
    assert all(-1e-6 <= scale.at(value) <= 100 + 1e-6 for value in values)
    assert all(scale.low - 1e-6 * abs(scale.low) <= tick <= scale.high + 1e-6 * abs(scale.high) for tick in scale.ticks)


def test_an_axis_with_one_value_has_a_scale() -> None:
    scale = fitted([0.0], 0.0, 100.0)
    assert (scale.low, scale.high) == (-0.5, 0.5)
    assert Scale(0.0, 1.0, 10.0, 110.0).at(0.5) == 60.0
    assert Scale(1.0, 100.0, 0.0, 10.0, log=True).at(10.0) == pytest.approx(5.0)
    assert Scale(0.0, 1.0, 0.0, 1.0).ticks == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])


def test_points_that_are_not_joined_are_as_large_as_their_n() -> None:
    points = [Point(0.2, Value(0.5, 0.1, 0.9, 1)), Point(0.8, Value(0.5, 0.4, 0.6, 100))]
    drawn = scene_of(Curves({"m": points}, "x", "y", joined=False))
    marks = [item for item in every(drawn.items) if isinstance(item, Area) and item.opacity == 0.8]
    small, large = (max(x for x, _ in mark.points) - min(x for x, _ in mark.points) for mark in marks)
    assert small * 2 < large
    assert "size by n; the largest: n = 100" in texts(drawn)
    assert tips(drawn)[0] == "m, x 0.2: 0.500 [0.100, 0.900], n=1"


def test_what_is_unknown_is_no_point_and_no_cell() -> None:
    line = Curves({"m": [Point(0, Value(0.5)), Point(1, Value(NAN)), Point(2, Value(0.7))]}, "x", "y", ticks="abc")
    assert len(tips(scene_of(line))) == 2
    grid = scene_of(HeatMap(["r"], ["c", "d"], [[NAN, 0.25]], [[0, 4]]))
    assert {"–", ".25"} <= set(texts(grid))
    assert tips(grid) == ["r, c: undefined, n=0", "r, d: 0.250, n=4"]


def test_nothing_that_is_written_lies_outside_the_picture() -> None:
    long = [f"a-very-long-family-of-models-with-a-name/{k}b-instruct-preview" for k in range(6)]
    one = Value(0.5, 0.4, 0.6, 1590)
    charts = (
        Bars(long, {"one": [one] * 6, "other": [one] * 6}, "share", looks={n: k for k, n in enumerate(long)}),
        Bars(long, {f"series {k}": [one] * 6 for k in range(6)}, "", apart=True),
        Stacks(long, {"a": [0.5] * 6, "b": [0.5] * 6}, [1590] * 6),
        HeatMap(long, ["GranularityMismatch", "EpistemicMismatch"], [[0.5, 0.5]] * 6, row_axis="model"),
        Scatter([Mark(n, Value(0.1 * k), Value(1.0)) for k, n in enumerate(long)], "x", "y", note="r = 0.5"),
        Curves({n: [Point(0.5, one)] for n in long}, "x", "y"),
    )
    for chart in charts:
        scene = scene_of(chart)
        for item in every(scene.items):
            if isinstance(item, Text) and not item.turn:
                wide = width_of(item.text, item.size)
                left = item.x - {"start": 0.0, "middle": wide / 2, "end": wide}[item.anchor]
                assert left >= -1, (type(chart), item.text)
                assert left + wide <= scene.width + 1, (type(chart), item.text)
                assert 0 <= item.y <= scene.height, (type(chart), item.text)


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
    assert fills(scene_of(chart)) == {SERIES[0], "#d55e00"}


def test_numbers_in_svg_are_numbers() -> None:
    drawn = picture(Bars(["a"], {"s": [Value(1e-9, 0, 1e-3)]}, "", limits=None)).svg
    assert not re.search(r"nan|inf", drawn, re.IGNORECASE)
    assert math.isfinite(width_of("word"))


def test_a_long_line_has_something_to_point_at_wherever_points_can_be_told_apart() -> None:
    points = [Point(k / 2000, Value(0.5)) for k in range(2000)]
    chart = Curves({"m": points}, "coverage", "risk")
    targets = [item for item in every(scene_of(chart).items) if isinstance(item, Group) and item.tip]
    places = sorted(area.points[0][0] for group in targets for area in group.items if isinstance(area, Area))
    apart = [b - a for a, b in pairwise(places)]
    # 2,000 points on less than 700 pixels: each third of a pixel has one
    assert 100 < len(places) < 350
    assert all(2 <= one < 2.4 for one in apart)
    assert len(chart.table()) == 2000
