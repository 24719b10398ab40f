"""Points and lines on two axes, drawn by matplotlib: each at its value."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .chart_axes import draw_legend, panels, set_limits
from .charts import Curves, Point, Scatter
from .styles import SOFT, Look, Looks, shown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_SPOTS = 25
"""Points of one spot, of so many on an axis from 0 to 1, would hide each other."""


def draw_scatter(canvas: "Canvas", chart: Scatter, looks: Looks) -> None:
    """Draw points; of several at one place each is a larger rim around the last."""
    (ax,) = panels(canvas, 1, (4.2, 3.6))
    crowd = Counter[tuple[int, int]]()
    for k, (name, point) in enumerate(chart.every_point.items()):
        if not (point.x.known and point.y.known):
            continue
        look = looks.get(name, Look(k))
        is_reference = name in chart.references
        colour = SOFT if is_reference else look.colour
        _cross(
            ax,
            point,
            colour,
            chart.reach.get(name, ((), ())),
        )
        x, y = point.x.value, point.y.value
        spot = (round(_SPOTS * x), round(_SPOTS * y))
        ax.plot(
            [x],
            [y],
            linestyle="none",
            marker=look.marker,
            color=colour,
            label=shown_name(name),
            fillstyle="none" if is_reference or crowd[spot] else "full",
            markersize=7 + 5 * crowd[spot],
            clip_on=False,
            zorder=4,
        )
        crowd[spot] += 1
    set_limits(ax.set_xlim, chart.limits)
    set_limits(ax.set_ylim, chart.limits)
    ax.set(xlabel=chart.x_axis, ylabel=chart.y_axis)
    ax.set_title(
        chart.note,
        loc="right",
        fontsize=8.5,
        fontweight="normal",
    )
    draw_legend(ax)


def _cross(
    ax: "Axes",
    point: Point,
    colour: str,
    reach: Sequence[Sequence[float]],
) -> None:
    """Draw the CIs of both coordinates of a point, and dotted, between bars, where each
    could lie.
    """
    x, y = point.x, point.y
    ax.hlines(
        y.value,
        x.low,
        x.high,
        colour,
        linewidth=1.3,
    )
    ax.vlines(
        x.value,
        y.low,
        y.high,
        colour,
        linewidth=1.3,
    )
    across, up = reach
    dotted: Any = {"color": colour, "linestyle": ":", "markersize": 9}
    ax.plot(
        across,
        [y.value] * len(across),
        marker="|",
        **dotted,
    )
    ax.plot(
        [x.value] * len(up),
        up,
        marker="_",
        **dotted,
    )


def draw_curves(canvas: "Canvas", chart: Curves, looks: Looks) -> None:
    """Draw a line for each name, with the CIs of its points."""
    (ax,) = panels(canvas, 1, (4.2, 3.4))
    for k, name in enumerate(chart.lines):
        _line(
            ax,
            chart.lines[name],
            name,
            looks.get(name, Look(k)),
        )
    if chart.diagonal:
        ax.plot(
            [0, 1],
            [0, 1],
            color=SOFT,
            linewidth=1,
            linestyle=(0, (2, 3)),
        )
    if chart.ticks:
        ticks = [shown_name(text, 18) for text in chart.ticks]
        ax.set_xticks(
            range(len(ticks)),
            ticks,
            fontsize=7.5,
        )
        ax.set_xlim(-0.3, len(ticks) - 0.7)
    set_limits(ax.set_ylim, (0.0, 1.0))
    ax.set(xlabel=chart.x_axis, ylabel=chart.y_axis)
    draw_legend(ax)


def _line(
    ax: "Axes",
    points: Sequence[Point],
    name: str,
    look: Look,
) -> None:
    """Draw the points of a line with their CIs, hollow: no line hides another's."""
    known = [point for point in points if point.y.known]
    xs = [point.x.value for point in known]
    lows = [point.y.low for point in known]
    highs = [point.y.high for point in known]
    ax.vlines(
        xs,
        lows,
        highs,
        color=look.colour,
        linewidth=1,
    )
    ax.plot(
        xs,
        [point.y.value for point in known],
        color=look.colour,
        marker=look.marker,
        markersize=6,
        fillstyle="none",
        linewidth=1.6,
        label=shown_name(name),
        clip_on=False,
    )
