"""Points on two axes."""

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from refusalbench_tasks.report.charts import Mark, Scatter, Value
from refusalbench_tasks.report.drawing.style import COLOURS, INK, colour, marker, shown_names

_NAMED = 20
"""With more points than this the names are in the legend only."""
_HOLLOW = {"always answers": "s"}
"""Shapes of reference points, those of one name alike in all figures."""


def draw_scatter(chart: Scatter, figures: Any) -> Any:
    """Return the figure: a marker per point with the cross of its intervals, reference points hollow."""
    rows = -(-(len(chart.marks) + len(chart.references)) // 2)
    figure = figures(figsize=(6.4, 4.4 + 0.2 * rows))
    axes = figure.subplots()
    every = [*chart.marks, *chart.references]
    names = shown_names([mark.name for mark in every])
    looks = [chart.looks.get(mark.name, i) for i, mark in enumerate(chart.marks)]
    _crosses(axes, chart.marks, looks)
    for name, mark, i in zip(names, chart.marks, looks, strict=False):
        bubble = not math.isnan(mark.size)
        look = (
            {"s": 30 + 500 * mark.size, "marker": marker(i // len(COLOURS)), "alpha": 0.75}
            if bubble
            else {"s": 36, "marker": marker(i)}
        )
        axes.scatter([mark.x.value], [mark.y.value], color=colour(i), label=name, **look)
    for mark, name in zip(chart.references, names[len(chart.marks) :], strict=True):
        axes.scatter([mark.x.value], [mark.y.value], s=40, facecolors="none", edgecolors=INK,
                     marker=_HOLLOW.get(mark.name, "^"), label=name)  # fmt: skip
    for limits, change, values in (
        (chart.x_limits, axes.set_xlim, [mark.x for mark in every]),
        (chart.limits, axes.set_ylim, [mark.y for mark in every]),
    ):
        low, high = limits or _extent(values)
        margin = (0.03 if limits else 0.1) * (high - low)
        change(low - margin, high + margin)
    axes.set_xlabel(chart.x_axis)
    axes.set_ylabel(chart.y_axis)
    if chart.note:
        axes.set_title(chart.note, fontsize=8, loc="right")
    handles, labels = axes.get_legend_handles_labels()
    legend = figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8)
    for handle in legend.legend_handles:
        handle.set_sizes([36])
    if len(every) <= _NAMED:
        # names need to know where the axes will be
        figure.draw_without_rendering()
        _name(axes, every, names)
    return figure


def _extent(values: Sequence[Value]) -> tuple[float, float]:
    """Return the ends of an axis that holds all values and intervals, one apart around a single value."""
    every = (end for value in values for end in (value.value, value.low, value.high))
    ends = [end for end in every if not math.isnan(end)] or [0.0]
    low, high = min(ends), max(ends)
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _crosses(axes: Any, marks: Sequence[Mark], looks: Sequence[int]) -> None:
    """Draw the intervals of all points, with one call for each direction: many artists are slow."""
    wide = [(m.y.value, m.x.low, m.x.high, colour(i)) for i, m in zip(looks, marks, strict=True) if m.x.has_interval]
    high = [(m.x.value, m.y.low, m.y.high, colour(i)) for i, m in zip(looks, marks, strict=True) if m.y.has_interval]
    for spans, draw in ((wide, axes.hlines), (high, axes.vlines)):
        if spans:
            places, starts, ends, colours = zip(*spans, strict=True)
            draw(places, starts, ends, colors=colours, linewidth=1, alpha=0.6)


def _name(axes: Any, marks: Sequence[Mark], names: Sequence[str]) -> None:
    """Write every name where it covers no point, interval or name, with a line to its point where it stands apart."""
    allocate: Any = import_module("textalloc").allocate
    x, y = [mark.x.value for mark in marks], [mark.y.value for mark in marks]
    wide = [([m.x.low, m.x.high], [m.y.value] * 2) for m in marks if m.x.has_interval]
    high = [([m.x.value] * 2, [m.y.low, m.y.high]) for m in marks if m.y.has_interval]
    placed = allocate(
        axes, x, y, list(names), x_scatter=x, y_scatter=y, textsize=7,
        x_lines=[one for one, _ in (*wide, *high)] or None, y_lines=[one for _, one in (*wide, *high)] or None,
        nbr_candidates=100, min_distance=0.015, max_distance=0.3, textcolor=INK,
        linecolor=INK, linewidth=0.5, avoid_label_lines_overlap=True,
    )  # fmt: skip
    for text in filter(None, placed[2]):
        text.set_in_layout(False)
