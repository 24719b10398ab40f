"""The axes of dots, cells and bars, drawn by matplotlib, and what all axes share."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from refusalbench_tasks.stats.estimate import Estimate

from .charts import Dots, Grid, Limits, Stacks
from .styles import INK, PAPER, SERIES, SOFT, Looks, shown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_WIDTH = 6.0
"""Inches of all panels of a picture."""
_LINE = 0.24
"""Inches of a line of names at the size of the font."""
_TEXT_ON_DARK = "#fdfdfd"
_TEXT_ON_LIGHT = "#1c1c1c"


def panels(
    canvas: "Canvas",
    n: int,
    size: tuple[float, float],
    across: int = 1,
    gap: tuple[float, float] = (0.0, 0.0),
) -> "list[Axes]":
    """Return axes of a size in inches, side by side, with gaps between; names and
    legends stand outside the canvas, and whoever saves it measures them.
    """
    columns = min(n, across)
    rows = math.ceil(n / columns)
    wspace = gap[0] / size[0]
    hspace = gap[1] / size[1]
    canvas.set_size_inches(
        size[0] * (columns + (columns - 1) * wspace),
        size[1] * (rows + (rows - 1) * hspace),
    )
    canvas.subplots_adjust(
        left=0,
        bottom=0,
        right=1,
        top=1,
        wspace=wspace,
        hspace=hspace,
    )
    panels = canvas.subplots(rows, columns, squeeze=False).ravel()
    for unused in panels[n:]:
        unused.remove()
    return list(panels[:n])


def set_limits(setter: Callable[[float, float], object], limits: Limits) -> None:
    """Set an axis to its limits, with a margin; without limits it stays."""
    if limits is not None:
        low, high = limits
        margin = 0.03 * (high - low)
        setter(low - margin, high + margin)


def draw_legend(ax: "Axes", below: float = 4.2) -> None:
    """Draw the legend below the axis, so that a picture is as wide as its axes.

    `below` are the lines that the numbers and the name of the axis take.
    """
    legend = ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        borderaxespad=below,
        ncols=2,
        columnspacing=1.2,
    )
    for handle in legend.legend_handles:
        getattr(handle, "set_markersize", lambda _: None)(6)


def draw_dots(canvas: "Canvas", chart: Dots, looks: Looks) -> None:
    """Draw dots with their CIs, those of a system in its look."""
    names = chart.names
    n = len(chart.series)
    columns = 2 if n == 4 else min(n, 3)
    width = _WIDTH / columns - 0.45
    axes = panels(
        canvas,
        n,
        (width, _LINE * len(names) + 0.12),
        columns,
        (0.45, 0.75),
    )
    for k, (ax, series) in enumerate(zip(axes, chart.series, strict=True)):
        for i, value in enumerate(chart.series[series]):
            look = looks.get(names[i])
            colour = look.colour if look else SERIES[k % len(SERIES)]
            _dot(
                ax,
                value,
                i,
                colour,
                look.marker if look else "o",
            )
        _marks(ax, chart.marks.get(series, ()))
        ax.set_ylim(len(names) - 0.45, -0.6)
        first = k % columns == 0
        shown = [shown_name(name) if first else "" for name in names]
        ax.set_yticks(
            range(len(names)),
            shown,
            rotation=0,
        )
        ax.tick_params(length=0)
        set_limits(ax.set_xlim, chart.limits)
        if chart.limits is None:
            ax.margins(x=0.12)
            ax.axvline(0, color=SOFT, linewidth=0.8)
        ax.set_title(shown_name(series), loc="left")


def _dot(
    ax: "Axes",
    value: Estimate,
    y: float,
    colour: str,
    marker: str,
) -> None:
    """Draw a value with its CI, and write it at the right edge."""
    ax.hlines(
        y,
        value.low,
        value.high,
        color=colour,
        linewidth=1.6,
    )
    if value.known:
        ax.plot(
            [value.value],
            [y],
            marker=marker,
            color=colour,
            markersize=5.5,
            zorder=4,
            clip_on=False,
        )
        large = abs(value.value) >= 10
        ax.annotate(
            f"{value.value:,.6g}" if large else f"{value.value:.2f}",
            (1, y),
            (6, 0),
            xycoords=("axes fraction", "data"),
            ha="left",
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=SOFT,
        )


def _marks(ax: "Axes", values: Sequence[float]) -> None:
    """Draw an upright mark for each value that is known, one below the other."""
    ax.plot(
        values,
        range(len(values)),
        marker="|",
        markersize=11,
        color=INK,
        linestyle="none",
    )


def draw_grid(canvas: "Canvas", chart: Grid, _: Looks) -> None:
    """Draw the panels of a grid."""
    import numpy as np

    columns = [shown_name(name) for name in chart.columns]
    rows = [shown_name(name) for name in chart.rows]
    cell = 0.62 if len(columns) < 6 else 0.5
    width = max(1.8, cell * len(columns))
    height = max(0.3, 0.27 * len(rows))
    fitting = int(1.5 * _WIDTH // (width + 0.3))
    across = max(1, min(3, fitting))
    axes = panels(
        canvas,
        len(chart.panels),
        (width, height),
        across,
        (0.3, 0.4),
    )
    for k, (ax, (title, panel)) in enumerate(
        zip(axes, chart.panels.items(), strict=True)
    ):
        _cells(ax, chart, panel)
        ax.set_ylim(len(rows), 0)
        # names stand at the left and the lower edge alone: at each panel they would be
        # most of the work
        below: Sequence[str] = []
        beside: Sequence[str] = []
        if k + across >= len(axes):
            below = columns
            ax.set_xlabel(chart.column_axis)
        if k % across == 0:
            beside = rows
            ax.set_ylabel(chart.row_axis)
        ax.set_xticks(
            np.arange(len(below)) + 0.5,
            below,
            rotation=40,
            ha="right",
            rotation_mode="anchor",
        )
        ax.set_yticks(np.arange(len(beside)) + 0.5, beside)
        ax.tick_params(length=0, labelsize=8)
        ax.grid(visible=False)
        ax.set_xlim(0, len(columns))
        ax.set_title(title and shown_name(title), loc="left")
        ax.spines[:].set_visible(False)


def _cells(ax: "Axes", chart: Grid, panel: Mapping[tuple[str, str], Estimate]) -> None:
    """Draw the cells of a panel, each with its value."""
    import numpy as np
    from matplotlib import colormaps

    low, high = chart.limits
    values = np.full((len(chart.rows), len(chart.columns)), np.nan)
    for i, row in enumerate(chart.rows):
        for j, column in enumerate(chart.columns):
            values[i, j] = panel.get((row, column), Estimate()).value
    ax.pcolormesh(
        values,
        cmap=colormaps["Blues"],
        vmin=low,
        vmax=high,
        edgecolors=PAPER,
        linewidth=1,
    )
    for i, j in np.argwhere(~np.isnan(values)):
        dark = (values[i, j] - low) / (high - low) > 0.55
        ax.text(
            j + 0.5,
            i + 0.5,
            f"{values[i, j]:.2f}".removeprefix("0"),
            ha="center",
            va="center",
            fontsize=7.5,
            color=_TEXT_ON_DARK if dark else _TEXT_ON_LIGHT,
        )


def draw_stacks(canvas: "Canvas", chart: Stacks, _: Looks) -> None:
    """Draw a bar for each name, its parts told apart by colour and pattern."""
    names = list(chart.counts)
    (ax,) = panels(
        canvas,
        1,
        (3.6, 0.3 * len(names) + 0.1),
    )
    start = [0.0] * len(names)
    for part in chart.parts:
        shares = [chart.share(name, part) for name in names]
        ax.barh(
            range(len(names)),
            shares,
            left=start,
            color=chart.colours[part],
            label=part,
            height=0.72,
            hatch=chart.patterns.get(part),
            edgecolor=PAPER,
        )
        for i, share in enumerate(shares):
            if share >= 0.06:
                times = chart.n(names[i]) if chart.as_counts else 100
                ax.text(
                    start[i] + share / 2,
                    i,
                    f"{times * share:.0f}",
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    # nobody reads a number on a pattern
                    bbox={"facecolor": PAPER, "linewidth": 0, "pad": 2},
                )
            start[i] += share
    ticks = [f"{shown_name(name)} (n={chart.n(name):,})" for name in names]
    ax.set_yticks(range(len(names)), ticks)
    ax.set(ylim=(len(names) - 0.5, -0.5), xlim=(0, 1))
    if chart.as_counts:
        ax.set_xticks([])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    draw_legend(ax, below=2.4)
