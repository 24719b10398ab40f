"""Lines through points."""

from typing import Any

from refusalbench_tasks.report.charts import Curves
from refusalbench_tasks.report.drawing.style import INK, colour, line, marker, shown, shown_names

_DOTTED = 25
"""Lines through more points than this are drawn without them."""


def draw_curves(chart: Curves, figures: Any) -> Any:
    """Return the figure: one line per name, intervals as bars where there are any."""
    rows = -(-len(chart.lines) // 2)
    figure = figures(figsize=(6.4, 3.6 + 0.2 * rows))
    axes = figure.subplots()
    spread = 0.02 if chart.ticks else 0.0
    drawn = shown_names(list(chart.lines))
    for i, (name, points) in enumerate(zip(drawn, chart.lines.values(), strict=True)):
        shift = (i - (len(chart.lines) - 1) / 2) * spread
        x, y = [point.x + shift for point in points], [point.y.value for point in points]
        dots = marker(i) if len(points) <= _DOTTED else ""
        axes.plot(x, y, color=colour(i), linestyle=line(i), marker=dots, markersize=4.5, label=name)
        spans = [(place, p.y.low, p.y.high) for place, p in zip(x, points, strict=True) if p.y.low == p.y.low]
        if spans:
            axes.vlines(*zip(*spans, strict=True), color=colour(i), linewidth=1)
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
        axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8)
    return figure
