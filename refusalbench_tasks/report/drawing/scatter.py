"""Points on two axes."""

import math
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Mark, Scatter, Value
from refusalbench_tasks.report.drawing.axes import Scale, fitted, x_axis, y_axis
from refusalbench_tasks.report.drawing.legend import Key, add_legend, model_mark
from refusalbench_tasks.report.drawing.name_places import SIZE, Box, placed
from refusalbench_tasks.report.drawing.scene import Group, Item, Line, Scene, Text, disc
from refusalbench_tasks.report.drawing.style import INK, SHAPES, colour, shape, shown_names
from refusalbench_tasks.report.drawing.told import in_words, n_of

WIDTH = 720.0
_LEFT, _TOP, _BOTTOM = 60.0, 22.0, 430.0
_NAMED = 20
"""With more points than this the names are in the legend only."""
_HOLLOW = {"always answers": "s"}
"""Shapes of reference points, those of one name alike in all figures."""


def draw_scatter(chart: Scatter) -> Scene:
    """Return the picture: a marker per point with the cross of its intervals, reference points hollow."""
    every = [*chart.marks, *chart.references]
    x = _scale(chart.x_limits, [mark.x for mark in every], _LEFT, WIDTH - 14)
    y = _scale(chart.limits, [mark.y for mark in every], _BOTTOM, _TOP)
    scene = Scene(WIDTH, _BOTTOM + 40, y_axis(y, _LEFT, WIDTH - 14, chart.y_axis))
    scene.add(*x_axis(x, _TOP, _BOTTOM, chart.x_axis))
    names = shown_names([mark.name for mark in every])
    looks = [chart.looks.get(mark.name, i) for i, mark in enumerate(chart.marks)]
    boxes = _name_boxes(every, names, x, y) if len(every) <= _NAMED else []
    for i, mark in enumerate(every):
        look = looks[i] if i < len(looks) else None
        drawn = [*(_cross(mark, x, y, look) if look is not None else ()), _marker(mark, x, y, look)]
        drawn += _name(names[i], boxes[i], x.at(mark.x.value), y.at(mark.y.value)) if boxes else []
        scene.add(Group([Group(drawn, "", _tip(chart, mark))], mark.name))
    if chart.note:
        scene.add(Text(WIDTH - 14, 13, chart.note, 10, "end"))
    keys = [_key(mark, name, looks[i] if i < len(looks) else None)
            for i, (mark, name) in enumerate(zip(every, names, strict=True))]  # fmt: skip
    add_legend(scene, keys, _BOTTOM + 40)
    return scene


def _key(mark: Mark, name: str, look: int | None) -> Key:
    same = mark.x.n == mark.y.n or (math.isnan(mark.x.n) or math.isnan(mark.y.n))
    ns = n_of(mark.x) or n_of(mark.y)
    if not same:
        ns = f"n={mark.x.n:,.0f}, {mark.y.n:,.0f}"
    sample = model_mark(0, 0, look) if look is not None else disc(0, 0, _hollow(mark), 4.5, None, INK)
    return Key(f"{name} ({ns})" if ns and look is not None else name, mark.name, [sample])


def _tip(chart: Scatter, mark: Mark) -> str:
    tip = f"{mark.name}: {chart.x_axis} {in_words(mark.x)}; {chart.y_axis} {in_words(mark.y)}"
    return tip if math.isnan(mark.size) else f"{tip}; {chart.size_is} {mark.size:.3f}"


def _hollow(mark: Mark) -> Sequence[tuple[float, float]]:
    return SHAPES[_HOLLOW.get(mark.name, "^")]


def _marker(mark: Mark, x: Scale, y: Scale, look: int | None) -> Item:
    place = x.at(mark.x.value), y.at(mark.y.value)
    if look is None:
        return disc(*place, _hollow(mark), 4.5, None, INK)
    if math.isnan(mark.size):
        return disc(*place, shape(look), 5, colour(look))
    return disc(*place, shape(look), 4 + 10 * math.sqrt(mark.size), colour(look), opacity=0.75)


def _cross(mark: Mark, x: Scale, y: Scale, look: int | None) -> list[Item]:
    at, high, ink = x.at(mark.x.value), y.at(mark.y.value), colour(look or 0)
    items: list[Item] = []
    if mark.x.has_interval:
        items.append(Line(((x.inside(mark.x.low), high), (x.inside(mark.x.high), high)), ink, 1.3, opacity=0.65))
    if mark.y.has_interval:
        items.append(Line(((at, y.inside(mark.y.low)), (at, y.inside(mark.y.high))), ink, 1.3, opacity=0.65))
    return items


def _scale(limits: tuple[float, float] | None, values: Sequence[Value], start: float, end: float) -> Scale:
    if limits is None:
        return fitted((one for value in values for one in (value.value, value.low, value.high)), start, end)
    margin = 0.03 * (limits[1] - limits[0])
    return Scale(limits[0] - margin, limits[1] + margin, start, end)


def _name_boxes(marks: Sequence[Mark], names: Sequence[str], x: Scale, y: Scale) -> list[Box]:
    taken = []
    for mark in marks:
        at, high = x.at(mark.x.value), y.at(mark.y.value)
        radius = 6 if math.isnan(mark.size) else 5 + 10 * math.sqrt(mark.size)
        taken.append(Box(at - radius, high - radius, at + radius, high + radius))
        if mark.x.has_interval:
            taken.append(Box(x.inside(mark.x.low), high - 1, x.inside(mark.x.high), high + 1))
        if mark.y.has_interval:
            taken.append(Box(at - 1, y.inside(mark.y.high), at + 1, y.inside(mark.y.low)))
    points = [(x.at(mark.x.value), y.at(mark.y.value)) for mark in marks]
    return placed(points, names, taken, Box(_LEFT + 2, _TOP - 6, WIDTH - 4, _BOTTOM - 2))


def _name(text: str, place: Box, x: float, y: float) -> list[Item]:
    nearest = min(max(x, place.left), place.right), min(max(y, place.top), place.bottom)
    items: list[Item] = [Text(place.left, place.bottom - 2.5, text, SIZE)]
    if math.dist(nearest, (x, y)) > 14:
        items.insert(0, Line(((x, y), nearest), INK, 0.6, opacity=0.6))
    return items
