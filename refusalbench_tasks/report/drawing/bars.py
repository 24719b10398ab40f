"""Horizontal bars with intervals."""

import math
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Bars, Value
from refusalbench_tasks.report.drawing.axes import Scale, x_axis
from refusalbench_tasks.report.drawing.legend import Key, add_legend, add_side_name, side_names
from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.one_bar import FADED, WIDTH, bar_items, ns_width, of_models, paint, scale_of
from refusalbench_tasks.report.drawing.scene import Area, Group, Item, Line, Scene, Text, box, disc
from refusalbench_tasks.report.drawing.style import INK, LIGHT_TEXT, SERIES, SHAPES
from refusalbench_tasks.report.drawing.told import n_of, told

_MARKS = "Dos"
_DASHES = ((6.0, 3.0), (1.5, 2.0), (6.0, 2.0, 1.5, 2.0))
"""The lines of reference, by the place of their series."""
_BAR, _GAP = 13.0, 9.0
_TOP = 8.0


def draw_bars(chart: Bars) -> Scene:
    """Return the picture: one group of bars per name; those of models have their models' colours."""
    lines, left = side_names(chart.names, chart.looks)
    notes = [note_of(chart, i) for i in range(len(chart.names))]
    right = WIDTH - 12 - ns_width(chart) - max((width_of(text, 10) + 10 for text in notes if text), default=0.0)
    high = [max(len(chart.series) * _BAR, len(parts) * 13.0) + _GAP for parts in lines]
    bottom = _TOP + sum(high)
    scale = scale_of(chart, left, right)
    scene = Scene(WIDTH, bottom + 40, x_axis(scale, _TOP, bottom, chart.axis))
    top = _TOP
    for i, parts in enumerate(lines):
        scene.add(_group(chart, i, parts, scale, top + high[i] / 2, notes[i]))
        top += high[i]
    _add_lines(scene, chart, scale, bottom)
    keys = _keys(chart) if len(chart.series) > 1 or chart.marks else []
    add_legend(scene, keys, bottom + (38 if chart.axis else 24))
    return scene


def _group(chart: Bars, i: int, lines: Sequence[str], scale: Scale, middle: float, note: str) -> Group:
    """Return a name with its bars, the n of each behind it."""
    name, items = chart.names[i], list[Item]()
    add_side_name(items, lines, scale.start, middle, chart.looks.get(name))
    start = middle - len(chart.series) * _BAR / 2
    for k, (series, values) in enumerate(chart.series.items()):
        y = start + (k + 0.5) * _BAR
        bar = bar_items(scale, values[i], y, _BAR - 2, *paint(chart, name, k)) + marks_of(chart, series, i, scale, y)
        bar.append(Text(scale.end + 8, y + 3.5, n_of(values[i]), 9.5))
        items.append(Group(bar, series, told(values[i], name, series)))
    if note:
        items.append(Text(WIDTH - 6, middle + 4, note, 10, "end"))
    return Group(items, name)


def marks_of(chart: Bars, series: str, i: int, scale: Scale, y: float) -> list[Item]:
    """Return what a bar is to be compared with, seen on the bar and beside it."""
    return [
        Group([disc(scale.inside(mark.values[i]), y, SHAPES[shape], 4, LIGHT_TEXT, INK)], "",
              told(Value(mark.values[i]), chart.names[i], mark.name))
        for shape, mark in zip(_MARKS, chart.marks, strict=False)
        if mark.series == series and not math.isnan(mark.values[i])
    ]  # fmt: skip


def note_of(chart: Bars, i: int) -> str:
    """Return the numbers that stand beside the bars of a name."""
    known = {name: values[i] for name, values in chart.notes.items() if not math.isnan(values[i])}
    return ", ".join(f"{name} < 0.001" if value < 0.001 else f"{name} = {value:.3f}" for name, value in known.items())


def _add_lines(scene: Scene, chart: Bars, scale: Scale, bottom: float) -> None:
    if not chart.limits or chart.limits[0] < 0:
        scene.add(Line(((scale.at(0.0), _TOP), (scale.at(0.0), bottom)), INK))
    for k, series in enumerate(chart.series):
        if series in chart.lines:
            x = scale.inside(chart.lines[series])
            line = Line(((x, _TOP), (x, bottom)), INK, 1.2, _DASHES[k % len(_DASHES)])
            scene.add(Group([line], "", told(Value(chart.lines[series]), "line of reference", series)))


def _keys(chart: Bars) -> list[Key]:
    keys = []
    for k, series in enumerate(chart.series):
        fill, opacity = (INK, FADED[k]) if of_models(chart) else (SERIES[k % len(SERIES)], 1.0)
        points = box(-7, -5, 14, 10, fill).points
        keys.append(Key(series, series, [Area(points, fill, opacity=opacity), Area(points, None, fill)]))
    return keys + [
        Key(mark.name, "", [disc(0, 0, SHAPES[shape], 4, LIGHT_TEXT, INK)])
        for shape, mark in zip(_MARKS, chart.marks, strict=False)
    ]
