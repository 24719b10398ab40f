"""Horizontal bars with intervals."""

import math
from collections.abc import Sequence
from typing import Any

from refusalbench_tasks.report.charts import Bars, Value
from refusalbench_tasks.report.drawing.style import GRID, INK, LIGHT_TEXT, colour, shown, shown_names

_PER_ROW = 3
_MARKS = "Dos"
_DASHES = ("--", ":", "-.")
"""The lines of reference, by the place of their series."""


def draw_bars(chart: Bars, figures: Any) -> Any:
    """Return the figure: one group of bars per name, or one panel per series."""
    if chart.apart:
        return _panels(chart, figures)
    names, count = chart.names, len(chart.series)
    thickness = 0.8 / count
    lines = sum(1 + shown(name).count("\n") * 0.7 for name in names)
    figure = figures(figsize=(7.0, 1.2 + 0.26 * max(lines, len(names) * count * 0.8)))
    axes = figure.subplots()
    for k, (series, values) in enumerate(chart.series.items()):
        places = [i + (k - (count - 1) / 2) * thickness for i in range(len(names))]
        _series(axes, places, values, thickness * 0.9, colour(k), series)
        _marks(axes, chart, series, places)
        if series in chart.lines:
            axes.axvline(chart.lines[series], color=INK, linewidth=1, linestyle=_DASHES[k % len(_DASHES)])
    _frame(axes, chart, names, chart.axis)
    if chart.notes:
        side = axes.secondary_yaxis("right")
        side.set_yticks(range(len(names)), [_note(chart, i) for i in range(len(names))], fontsize=7.5)
        side.tick_params(length=0)
        side.spines["right"].set_visible(False)
    if count > 1 or chart.marks:
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=min(count, 3))
    return figure


def _panels(chart: Bars, figures: Any) -> Any:
    rows = math.ceil(len(chart.series) / _PER_ROW)
    figure = figures(figsize=(9.0, rows * (0.9 + 0.24 * len(chart.names))))
    grid = figure.subplots(rows, _PER_ROW, squeeze=False, sharey=True)
    for axes, (series, values) in zip(grid.flat, chart.series.items(), strict=False):
        _series(axes, range(len(chart.names)), values, 0.7, colour(0), series)
        _frame(axes, chart, chart.names, "")
        axes.set_title(series, fontsize=9)
    for axes in list(grid.flat)[len(chart.series) :]:
        axes.set_visible(False)
    return figure


def _marks(axes: Any, chart: Bars, series: str, places: Sequence[float]) -> None:
    for shape, mark in zip(_MARKS, chart.marks, strict=False):
        if mark.series == series:
            # filled, so that it is seen on the bar and beside it, on light and on dark pages
            axes.scatter(mark.values, places, marker=shape, s=22, color=LIGHT_TEXT, edgecolors=INK, zorder=3,
                         linewidths=1, label=mark.name)  # fmt: skip


def _note(chart: Bars, i: int) -> str:
    known = {name: values[i] for name, values in chart.notes.items() if not math.isnan(values[i])}
    return "\n".join(f"{name} < 0.001" if value < 0.001 else f"{name} = {value:.3f}" for name, value in known.items())


def _series(axes: Any, places: Sequence[float], values: Sequence[Value], height: float, fill: str, label: str) -> None:
    known = [v.value if v.known else 0.0 for v in values]
    axes.barh(places, known, height=height, color=fill, label=label)
    both = list(zip(places, values, strict=True))
    spans = [(place, value.low, value.high) for place, value in both if value.has_interval]
    if spans:
        axes.hlines(*zip(*spans, strict=True), color=INK, linewidth=1)
    for place, value in both:
        if not value.known:
            axes.text(0, place, " undefined", va="center", fontsize=7)
        elif value.value == 0:
            # a bar of no length is not seen, and is not the same as no bar
            axes.plot([0], [place], marker="|", markersize=7, color=fill, markeredgewidth=2)
            end = value.high if value.has_interval else 0
            axes.text(max(end, 0), place, " 0", va="center", fontsize=7)


def _frame(axes: Any, chart: Bars, names: Sequence[str], label: str) -> None:
    axes.set_yticks(range(len(names)), shown_names(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.grid(True, axis="x", color=GRID)
    axes.set_xlabel(label)
    if chart.limits:
        axes.set_xlim(*chart.limits)
    else:
        axes.axvline(0, color=INK, linewidth=0.8)
        ends = [end for values in chart.series.values() for v in values for end in (v.value, v.low, v.high)]
        if not any(end for end in ends if not math.isnan(end)):
            # nothing gives the axis a scale
            axes.set_xlim(-1, 1)
