"""Grids of coloured cells."""

import math

from refusalbench_tasks.report.charts import HeatMap, HeatMaps
from refusalbench_tasks.report.drawing.legend import add_side_name, side_names
from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.scene import Group, Item, Scene, Text, box
from refusalbench_tasks.report.drawing.style import INK, LIGHT_TEXT, shown_names
from refusalbench_tasks.report.drawing.told import told
from refusalbench_tasks.report.value import NAN

_PER_ROW = 3
_LIGHT, _DARK = (239, 245, 252), (8, 69, 148)
_DARK_TEXT = "#1b1f24"
"""Not the ink, which is light on a dark page: a light cell keeps its dark text there."""
_SLANT = 40.0


def draw_heat_map(chart: HeatMap) -> Scene:
    """Return the picture of one grid."""
    lines, left = side_names(chart.rows, chart.looks)
    # the axis' own name stands above the names of the rows
    left = max(left, width_of(chart.row_axis, 10.5) + 12)
    wide = max(44.0, min(84.0, (760 - left) / max(len(chart.columns), 1)))
    columns = shown_names(chart.columns)
    slanted = any(width_of(name, 10.5) > wide - 4 for name in columns)
    top = 20.0 if chart.row_axis else 6.0
    bottom = top + 24.0 * len(chart.rows)
    foot = _foot(columns, slanted)
    scene = Scene(left + wide * len(chart.columns) + 12, bottom + foot + (20 if chart.column_axis else 4))
    for i, name in enumerate(chart.rows):
        named: list[Item] = []
        add_side_name(named, lines[i][:2], left, top + 24 * (i + 0.5), chart.looks.get(name))
        scene.add(Group(named, name))
    scene.add(*_cells(chart, left, top, wide, 24.0, 11.0), *_heads(columns, left, bottom, wide, slanted))
    middle = left + wide * len(chart.columns) / 2
    if chart.column_axis:
        scene.add(Text(middle, bottom + foot + 12, chart.column_axis, 11.5, "middle"))
    if chart.row_axis:
        scene.add(Text(left - 8, 12, chart.row_axis, 10.5, "end"))
    return scene


def draw_heat_maps(chart: HeatMaps) -> Scene:
    """Return the picture of several grids of one shape, as many in a row as there is room for."""
    first = next(iter(chart.maps.values()))
    lines, left = side_names(first.rows, first.looks)
    columns, cell = shown_names(first.columns), 34.0
    across = max(1, min(_PER_ROW, len(chart.maps), int((800 - left) / (cell * len(columns) + 14))))
    wide, foot = cell * len(columns) + 14, _foot(columns, True)
    high = 24 + 22 * len(first.rows) + foot
    down = math.ceil(len(chart.maps) / across)
    scene = Scene(max(left + across * wide + 8, 300), down * high + 4)
    for k, (title, one) in enumerate(chart.maps.items()):
        x, top = left + k % across * wide, k // across * high + 24
        scene.add(Text(x, top - 8, shown_names([title])[0], 11.5, bold=True))
        if k % across == 0:
            for i, name in enumerate(first.rows):
                named: list[Item] = []
                add_side_name(named, lines[i][:1], left, top + 22 * (i + 0.5), first.looks.get(name))
                scene.add(Group(named, name))
        scene.add(
            *_cells(one, x, top, cell, 22.0, 9.5, title), *_heads(columns, x, top + 22 * len(one.rows), cell, True)
        )
    return scene


def _foot(columns: list[str], slanted: bool) -> float:
    if not slanted:
        return 20.0
    return 12 + max((width_of(name, 10.5) for name in columns), default=0.0) * math.sin(math.radians(_SLANT))


def _heads(columns: list[str], left: float, bottom: float, wide: float, slanted: bool) -> list[Item]:
    if not slanted:
        return [Text(left + wide * (j + 0.5), bottom + 14, name, 10.5, "middle") for j, name in enumerate(columns)]
    return [
        Text(left + wide * (j + 0.5) + 4, bottom + 11, name, 10.5, "end", turn=_SLANT) for j, name in enumerate(columns)
    ]


def _cells(chart: HeatMap, left: float, top: float, wide: float, high: float, size: float, title: str = ""
           ) -> list[Item]:  # fmt: skip
    low, end = chart.limits or (0.0, max((v for row in chart.values for v in row if not math.isnan(v)), default=1.0))
    items: list[Item] = []
    for i, (row, name) in enumerate(zip(chart.values, chart.rows, strict=True)):
        cells: list[Item] = []
        for j, (value, column) in enumerate(zip(row, chart.columns, strict=True)):
            share = (value - low) / (max(end, low + 1e-9) - low) if not math.isnan(value) else NAN
            tip = told(chart.value(i, j), title, name, column) if chart.limits else f"{name}, {column}: {value:,.0f}"
            fill, ink, text = _look(share, value, chart.limits is None)
            x, y = left + wide * j, top + high * i
            cell = box(x + 0.5, y + 0.5, wide - 1, high - 1, fill)
            cells.append(Group([cell, Text(x + wide / 2, y + high / 2 + 4, text, size, "middle", ink)], "", tip))
        items.append(Group(cells, name))
    return items


def _look(share: float, value: float, counted: bool) -> tuple[str | None, str, str]:
    """Return fill, ink and text of a cell."""
    if math.isnan(share):
        return None, INK, "–"
    share = min(max(share, 0.0), 1.0)
    fill = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(_LIGHT, _DARK, strict=True))
    text = f"{value:,.0f}" if counted else f"{value:.2f}".replace("0.", ".", 1)
    return fill, LIGHT_TEXT if round(share, 2) > 0.5 else _DARK_TEXT, text
