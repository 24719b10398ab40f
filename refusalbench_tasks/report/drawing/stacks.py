"""Stacked shares."""

import math

from refusalbench_tasks.report.charts import Stacks
from refusalbench_tasks.report.drawing.axes import Scale, x_axis
from refusalbench_tasks.report.drawing.legend import Key, add_legend, add_side_name, side_names
from refusalbench_tasks.report.drawing.one_bar import WIDTH
from refusalbench_tasks.report.drawing.scene import Group, Item, Scene, Text, box
from refusalbench_tasks.report.drawing.style import SERIES
from refusalbench_tasks.report.drawing.told import told
from refusalbench_tasks.report.value import Value

_TOP, _ROW, _BAR = 8.0, 26.0, 18.0


def draw_stacks(chart: Stacks) -> Scene:
    """Return the picture: one bar per name, cut into its parts, n behind it."""
    lines, left = side_names(chart.names, chart.looks)
    bottom = _TOP + _ROW * len(chart.names)
    scale = Scale(0.0, 1.0, left, WIDTH - 70)
    scene = Scene(WIDTH, bottom + 40, x_axis(scale, _TOP, bottom, "share of replies"))
    fills = {part: chart.colours.get(part, SERIES[k % len(SERIES)]) for k, part in enumerate(chart.parts)}
    for i, (name, parts) in enumerate(zip(chart.names, lines, strict=True)):
        y, at = _TOP + (i + 0.5) * _ROW, 0.0
        items: list[Item] = []
        add_side_name(items, parts[:2], left, y, chart.looks.get(name))
        for part, shares in chart.parts.items():
            share = shares[i]
            if not math.isnan(share) and share > 0:
                piece = box(scale.at(at), y - _BAR / 2, scale.at(at + share) - scale.at(at), _BAR, fills[part])
                items.append(Group([piece], part, told(Value(share, n=chart.n[i]), name, part)))
                at += share
        scene.add(Group([*items, Text(WIDTH - 62, y + 3.5, f"n={chart.n[i]:,.0f}", 9.5)], name))
    keys = [Key(part, part, [box(-7, -5, 14, 10, fill)]) for part, fill in fills.items()]
    add_legend(scene, keys, bottom + 38)
    return scene
