"""Horizontal bars, each series in a panel of its own."""

import math

from refusalbench_tasks.report.charts import Bars
from refusalbench_tasks.report.drawing.axes import x_axis
from refusalbench_tasks.report.drawing.legend import add_side_name, side_names
from refusalbench_tasks.report.drawing.one_bar import WIDTH, bar_items, ns_width, paint, scale_of
from refusalbench_tasks.report.drawing.scene import Group, Item, Line, Scene, Text
from refusalbench_tasks.report.drawing.style import INK
from refusalbench_tasks.report.drawing.told import n_of, told

_PER_ROW = 3
_BAR, _GAP, _HEAD, _FOOT = 12.0, 8.0, 22.0, 24.0


def draw_bar_panels(chart: Bars) -> Scene:
    """Return the picture: three panels in a row, the names left of each row."""
    lines, left = side_names(chart.names, chart.looks, 260.0)
    rows = math.ceil(len(chart.series) / _PER_ROW)
    across = min(_PER_ROW, len(chart.series))
    wide = (WIDTH - left) / across
    high = sum(max(_BAR, 13.0 * len(parts)) + _GAP for parts in lines)
    scene = Scene(WIDTH, rows * (_HEAD + high + _FOOT) + 6)
    for k, series in enumerate(chart.series):
        x, top = left + k % across * wide, k // across * (_HEAD + high + _FOOT) + _HEAD
        scale = scale_of(chart, x, x + wide - max(ns_width(chart), 16.0) - 8)
        ends = [scale.low, (scale.low + scale.high) / 2, scale.high] if chart.limits else None
        scene.add(*x_axis(scale, top, top + high, ticks=ends), Text(x, top - 7, series, 11.5, bold=True))
        if scale.low < 0:
            scene.add(Line(((scale.at(0), top), (scale.at(0), top + high)), INK))
        y = top
        for i, (name, parts) in enumerate(zip(chart.names, lines, strict=True)):
            room = max(_BAR, 13.0 * len(parts)) + _GAP
            middle, value = y + room / 2, chart.series[series][i]
            items: list[Item] = bar_items(scale, value, middle, _BAR, *paint(chart, name, 0))
            items.append(Text(scale.end + 6, middle + 3.5, n_of(value), 9.5))
            scene.add(Group(items, name, told(value, name, series)))
            if k % across == 0:
                named: list[Item] = []
                add_side_name(named, parts, left, middle, chart.looks.get(name))
                scene.add(Group(named, name))
            y += room
    return scene
