"""Grids of coloured cells."""

import math
from typing import Any

import numpy as np

from refusalbench_tasks.report.charts import HeatMap, HeatMaps
from refusalbench_tasks.report.drawing.style import INK, LIGHT_TEXT, shown, shown_names
from refusalbench_tasks.stats.cluster import Floats

_PER_ROW = 3
_NUMBERED = 6
"""With more grids than this their cells have no numbers."""
_UPRIGHT = 8
"""Column names up to this length need no slant."""
_DARK_TEXT = "#1b1f24"
"""Not the ink, which is light on a dark page: a light cell keeps its dark text there."""


def draw_heat_map(chart: HeatMap, figures: Any) -> Any:
    """Return the figure of one grid."""
    width = max(5.0, min(9.0, 2.6 + 0.75 * len(chart.columns)))
    figure = figures(figsize=(width, 1.4 + 0.28 * len(chart.rows)))
    axes = figure.subplots()
    values = _values(chart)
    _colour(axes, values, chart)
    axes.set_yticks(np.arange(len(chart.rows)) + 0.5, shown_names(chart.rows))
    _columns(axes, np.arange(len(chart.columns)) + 0.5, shown_names(chart.columns))
    axes.set_ylabel(chart.row_axis)
    axes.set_xlabel(chart.column_axis)
    _write(axes, values, chart, 8)
    return figure


def draw_heat_maps(chart: HeatMaps, figures: Any) -> Any:
    """Return the figure of several grids of one shape, three in a row; numbers only where there are few grids."""
    maps = list(chart.maps.values())
    first, across = maps[0], min(_PER_ROW, len(maps))
    high, wide = len(first.rows) + 1, len(first.columns) + 1
    down = math.ceil(len(maps) / across)
    # one pair of axes for all grids, a row and a column left free between them: many axes are slow
    values = np.full((down * high, across * wide - 1), np.nan)
    for i, one in enumerate(maps):
        top, left = i // across * high + 1, i % across * wide
        values[top : top + high - 1, left : left + wide - 1] = _values(one)
    figure = figures(figsize=(1.6 + 0.36 * across * wide, 0.8 + 0.22 * down * high))
    axes = figure.subplots()
    _colour(axes, values, first)
    for i, name in enumerate(shown_names(list(chart.maps))):
        axes.text(i % across * wide, i // across * high + 0.75, name, fontsize=8)
    rows = [(k * high + 1 + i + 0.5, name) for k in range(down) for i, name in enumerate(first.rows)]
    axes.set_yticks([place for place, _ in rows], [shown(name) for _, name in rows], fontsize=7)
    columns = [(k * wide + j + 0.5, name) for k in range(across) for j, name in enumerate(first.columns)]
    _columns(axes, [place for place, _ in columns], [shown(name) for _, name in columns], 7)
    if len(maps) <= _NUMBERED:
        _write(axes, values, first, 6, blank="")
    return figure


def _values(chart: HeatMap) -> Floats:
    return np.array(chart.values, dtype=float).reshape(len(chart.rows), len(chart.columns))


def _limits(values: Floats, chart: HeatMap) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    return chart.limits or (0.0, max(float(known.max()) if len(known) else 1.0, 1.0))


def _colour(axes: Any, values: Floats, chart: HeatMap) -> None:
    low, high = _limits(values, chart)
    axes.pcolormesh(np.ma.masked_invalid(values), cmap="Blues", vmin=low, vmax=high)
    axes.set_ylim(len(values), 0)
    axes.grid(False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def _columns(axes: Any, places: Any, names: list[str], size: float = 8) -> None:
    if max(map(len, names), default=0) <= _UPRIGHT and size == 8:
        axes.set_xticks(places, names, fontsize=size)
        return
    axes.set_xticks(places, names, fontsize=size, rotation=35, ha="right", rotation_mode="anchor")


def _write(axes: Any, values: Floats, chart: HeatMap, size: float, blank: str = "–") -> None:
    low, high = _limits(values, chart)
    for (i, j), value in np.ndenumerate(values):
        if math.isnan(value):
            text, ink = blank, INK
        else:
            text = f"{value:.0f}" if chart.limits is None else f"{value:.2f}".replace("0.", ".", 1)
            ink = LIGHT_TEXT if (value - low) / (high - low) > 0.6 else _DARK_TEXT
        if text:
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=size, color=ink)
