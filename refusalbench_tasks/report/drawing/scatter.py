"""Points on two axes."""

from collections.abc import Sequence
from typing import Any

from refusalbench_tasks.report.charts import Mark, Scatter
from refusalbench_tasks.report.drawing.style import COLOURS, INK, colour, marker, shown, shown_names

_NAMED = 12
"""With more points than this the names are in the legend only."""
_WIDTH = 0.45
"""Room that a name needs, as a share of the x axis."""


def draw_scatter(chart: Scatter, figures: Any) -> Any:
    """Return the figure: a marker per point with the cross of its intervals, reference points hollow."""
    rows = -(-(len(chart.marks) + len(chart.references)) // 2)
    figure = figures(figsize=(6.4, 4.4 + 0.2 * rows))
    axes = figure.subplots()
    every = [*chart.marks, *chart.references]
    names = shown_names([mark.name for mark in every])
    _crosses(axes, chart.marks)
    for i, mark in enumerate(chart.marks):
        bubble = mark.size == mark.size
        look = (
            {"s": 30 + 500 * mark.size, "marker": marker(i // len(COLOURS)), "alpha": 0.75}
            if bubble
            else {"s": 36, "marker": marker(i)}
        )
        axes.scatter([mark.x.value], [mark.y.value], color=colour(i), label=names[i], **look)
    for mark, shape, name in zip(chart.references, "s^Dvo", names[len(chart.marks) :], strict=False):
        axes.scatter([mark.x.value], [mark.y.value], s=40, facecolors="none", edgecolors=INK, marker=shape,
                     label=name)  # fmt: skip
    values = [mark.y.value for mark in every] or [0.0]
    low, high = chart.limits or (min(values), max(values))
    _name(axes, every, high - low or 1.0)
    for limits, change in ((chart.x_limits, axes.set_xlim), (chart.limits, axes.set_ylim)):
        if limits:
            margin = 0.03 * (limits[1] - limits[0])
            change(limits[0] - margin, limits[1] + margin)
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    if chart.note:
        axes.set_title(chart.note, fontsize=8, loc="right")
    handles, labels = axes.get_legend_handles_labels()
    legend = figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8)
    for handle in legend.legend_handles:
        handle.set_sizes([36])
    return figure


def _crosses(axes: Any, marks: Sequence[Mark]) -> None:
    """Draw the intervals of all points, with one call for each direction: many artists are slow."""
    wide = [(m.y.value, m.x.low, m.x.high, colour(i)) for i, m in enumerate(marks) if m.x.low == m.x.low]
    high = [(m.x.value, m.y.low, m.y.high, colour(i)) for i, m in enumerate(marks) if m.y.low == m.y.low]
    for spans, draw in ((wide, axes.hlines), (high, axes.vlines)):
        if spans:
            places, starts, ends, colours = zip(*spans, strict=True)
            draw(places, starts, ends, colors=colours, linewidth=1, alpha=0.6)


def _name(axes: Any, marks: Sequence[Mark], height: float) -> None:
    """Write the names beside the points that stand alone."""
    if len(marks) > _NAMED:
        return
    for mark in marks:
        near = [other for other in marks if other is not mark and abs(other.y.value - mark.y.value) < 0.06 * height]
        if not any(abs(other.x.value - mark.x.value) < _WIDTH for other in near):
            left = mark.x.value > 0.6
            axes.annotate(shown(mark.name), (mark.x.value, mark.y.value), xytext=(-7 if left else 7, 5),
                          textcoords="offset points", fontsize=7, ha="right" if left else "left")  # fmt: skip
