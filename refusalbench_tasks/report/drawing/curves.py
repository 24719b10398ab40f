"""Lines through points."""

import math
from collections.abc import Sequence
from typing import Any

from refusalbench_tasks.report.charts import Curves, Point
from refusalbench_tasks.report.drawing.style import INK, colour, line, marker, shown, shown_names

_DOTTED = 25
"""Lines through more points than this are drawn without them."""


def draw_curves(chart: Curves, figures: Any) -> Any:
    """Return the figure: one line or one row of points per name, intervals as bars where there are any."""
    rows = -(-len(chart.lines) // 2)
    figure = figures(figsize=(6.4, 3.6 + 0.2 * rows))
    axes = figure.subplots()
    spread = 0.02 if chart.ticks else 0.0 if chart.joined else min(0.015, 0.06 / len(chart.lines))
    margin = 0.02 if chart.joined else 0.05
    most = max((p.y.n for points in chart.lines.values() for p in points if not math.isnan(p.y.n)), default=1.0)
    for i, (name, label) in enumerate(zip(chart.lines, _labels(chart), strict=True)):
        points, look = chart.lines[name], chart.looks.get(name, i)
        shift = (i - (len(chart.lines) - 1) / 2) * spread
        x, y = [point.x + shift for point in points], [point.y.value for point in points]
        if chart.joined:
            dots = marker(look) if len(points) <= _DOTTED else ""
            axes.plot(x, y, color=colour(look), linestyle=line(look), marker=dots, markersize=4.5, label=label)
        else:
            sizes = [12 + 130 * p.y.n / most for p in points]
            axes.scatter(x, y, s=sizes, color=colour(look), marker=marker(look), alpha=0.75, label=label, linewidths=0)
        _intervals(axes, x, points, colour(look))
    if not chart.joined:
        axes.set_title(f"size by n; the largest: n = {most:.0f}", fontsize=8, loc="right")
    if chart.diagonal:
        axes.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
    if chart.ticks:
        axes.set_xticks(range(len(chart.ticks)), [shown(tick) for tick in chart.ticks])
    elif chart.log_x:
        places = sorted({point.x for points in chart.lines.values() for point in points})
        axes.set_xscale("log")
        axes.set_xticks(places, [f"{place:g}" for place in places])
        axes.set_xticks([], minor=True)
    elif all(0 <= point.x <= 1 for points in chart.lines.values() for point in points):
        axes.set_xlim(-margin, 1 + margin)
    axes.set_ylim(-margin, 1 + margin)
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    legend = figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8)
    if not chart.joined:
        for handle in legend.legend_handles:
            handle.set_sizes([30])
    return figure


def _labels(chart: Curves) -> list[str]:
    notes = [
        ", ".join(f"{key} {values[name]:.3f}" for key, values in chart.notes.items() if name in values)
        for name in chart.lines
    ]
    return [
        f"{name} ({note})" if note else name for name, note in zip(shown_names(list(chart.lines)), notes, strict=True)
    ]


def _intervals(axes: Any, x: Sequence[float], points: Sequence[Point], ink: str) -> None:
    spans = [(place, p.y.low, p.y.high) for place, p in zip(x, points, strict=True) if p.y.has_interval]
    if spans:
        axes.vlines(*zip(*spans, strict=True), color=ink, linewidth=1)
