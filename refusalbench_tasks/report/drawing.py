"""Charts as pictures: SVG and PDF by matplotlib."""

import io
import logging
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.report.charts import (
    Chart,
    Curves,
    Dots,
    Grid,
    Limits,
    Scatter,
    Stacks,
)
from refusalbench_tasks.report.styles import GRID, INK, PAPER, SERIES, SOFT, Look
from refusalbench_tasks.stats.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_RC: Any = {
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.labelsize": 9,
    "legend.fontsize": 8.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": SOFT,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "text.parse_math": False,
    "axes.unicode_minus": False,
}
_WIDTH = 7.4
"""In inches, of most pictures."""
_LETTER = 0.072
_LINE = 0.24
"""Inches of a letter, and of a line of names, at the size of the font."""
_LONGEST = 34
_TEXT_ON_DARK = "#fdfdfd"
_TEXT_ON_LIGHT = "#1c1c1c"
_ON_PAGE = {
    INK: "currentColor",
    SOFT: "var(--soft)",
    GRID: "var(--grid)",
    PAPER: "var(--paper)",
}


@dataclass(frozen=True)
class Picture:
    """One drawn chart: SVG for a file, SVG without ids or styles of its own for the
    page, and PDF.
    """

    svg: str
    on_page: str
    pdf: bytes


def draw(chart: Chart, looks: Mapping[str, Look], title: str) -> Picture:
    """Return the picture of a chart; names in `looks` have their system's colour and
    marker.

    Equal charts give equal pictures. Text in names is drawn letter by letter: no
    mathematics, no line breaks.
    """
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    with matplotlib.rc_context({**_RC, "svg.hashsalt": _plain(title)}), _quiet():
        canvas = Canvas()
        kind: Any = _KINDS[type(chart)]
        kind(canvas, chart, looks)
        svg = io.StringIO()
        pdf = io.BytesIO()
        canvas.savefig(
            svg, format="svg", metadata={"Date": None, "Title": _plain(title)}
        )
        canvas.savefig(
            pdf, format="pdf", metadata={"CreationDate": None, "Title": _plain(title)}
        )
    return Picture(
        svg.getvalue(), _on_page(svg.getvalue(), _plain(title, 200)), pdf.getvalue()
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence what is said of letters that a font lacks."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _on_page(svg: str, title: str) -> str:
    """Return the picture as part of a page: in its colours, with a name, and with ids
    that no other picture has.
    """
    from markupsafe import escape

    start = svg.index("<svg")
    text = re.sub(
        r"<metadata>.*?</metadata>|<style.*?</style>", "", svg[start:], flags=re.DOTALL
    )
    text = re.sub(r'<title>.*?</title>| xmlns:xlink="[^"]*"', "", text, flags=re.DOTALL)
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', text))
    text = re.sub(
        r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", text
    )
    for colour, named in _ON_PAGE.items():
        text = text.replace(colour, named)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)


def _plain(name: str, longest: int = _LONGEST) -> str:
    """Return a name in printable letters on one line, shortened in the middle."""
    text = one_line(name) or "(no name)"
    half = longest // 2
    return text if len(text) <= longest else f"{text[: half - 1]}…{text[-half:]}"


def _room(names: Sequence[str]) -> float:
    """Return the width of the longest name, in inches."""
    return _LETTER * max((len(_plain(name)) for name in names), default=0) + 0.15


def _panels(
    canvas: "Canvas",
    n: int,
    size: tuple[float, float],
    *,
    left: float,
    across: int = 3,
    top: float = 0.5,
    bottom: float = 0.5,
    gap: tuple[float, float] = (0.25, 0.75),
    right: float = 0.2,
) -> "list[Axes]":
    """Return axes of a size in inches, side by side, with margins around all of them
    and gaps between.
    """
    columns = min(n, across)
    rows = math.ceil(n / columns)
    width = left + columns * size[0] + (columns - 1) * gap[0] + right
    height = top + rows * size[1] + (rows - 1) * gap[1] + bottom
    canvas.set_size_inches(width, height)
    found = []
    for k in range(n):
        x = left + (k % columns) * (size[0] + gap[0])
        y = height - top - (k // columns) * (size[1] + gap[1]) - size[1]
        found.append(
            canvas.add_axes((x / width, y / height, size[0] / width, size[1] / height))
        )
    return found


def _dots(canvas: "Canvas", chart: Dots, looks: Mapping[str, Look]) -> None:
    names = chart.names
    room = _room(chart.names)
    columns = 2 if len(chart.series) == 4 else min(len(chart.series), 3)
    width = max(1.5, (_WIDTH - room) / columns - 0.45)
    axes = _panels(
        canvas,
        len(chart.series),
        (width, _LINE * len(names) + 0.12),
        left=room,
        across=columns,
        top=0.35,
        bottom=0.35,
        gap=(0.45, 0.75),
        right=0.45,
    )
    for place, (ax, (series, values)) in enumerate(
        zip(axes, chart.series.items(), strict=True)
    ):
        for i, (name, one) in enumerate(zip(names, values, strict=True)):
            look = looks.get(name)
            colour = look.colour if look else SERIES[place % len(SERIES)]
            _dot(ax, one, i, colour, look.marker if look else "o")
            if one.known:
                ax.annotate(
                    _number(one.value),
                    (1, i),
                    (6, 0),
                    xycoords=("axes fraction", "data"),
                    ha="left",
                    textcoords="offset points",
                    va="center",
                    fontsize=8,
                    color=SOFT,
                )
        marks = [
            (x, i)
            for i, x in enumerate(chart.marks.get(series, ()))
            if not math.isnan(x)
        ]
        if marks:
            ax.plot(
                *zip(*marks, strict=True),
                marker="|",
                markersize=11,
                color=INK,
                linestyle="none",
            )
        ax.set_ylim(len(names) - 0.45, -0.6)
        shown = [_plain(name) for name in names] if place % columns == 0 else []
        ax.set_yticks(range(len(names)), shown or [""] * len(names), rotation=0)
        ax.tick_params(length=0)
        _limit(ax.set_xlim, chart.limits)
        if chart.limits is None:
            ax.margins(x=0.12)
            ax.axvline(0, color=SOFT, linewidth=0.8)
        ax.set_title(_plain(series), loc="left")


def _dot(ax: "Axes", one: Estimate, y: float, colour: str, marker: str) -> None:
    if one.has_interval:
        ax.plot(
            [one.low, one.high],
            [y, y],
            color=colour,
            linewidth=2.2,
            alpha=0.55,
            solid_capstyle="round",
        )
    if one.known:
        ax.plot(
            [one.value],
            [y],
            marker=marker,
            color=colour,
            markersize=5.5,
            zorder=4,
            clip_on=False,
        )


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:,.6g}"


def _limit(of: Callable[[float, float], object], limits: Limits) -> None:
    if limits is not None:
        low, high = limits
        of(low - 0.03 * (high - low), high + 0.03 * (high - low))


def _grid(canvas: "Canvas", chart: Grid, looks: Mapping[str, Look]) -> None:
    import numpy as np
    from matplotlib import colormaps

    column_room = min(
        1.5, 0.045 * max(len(_plain(name)) for name in chart.columns) + 0.15
    )
    cell = 0.62 if len(chart.columns) < 6 else 0.5
    size = (max(1.8, cell * len(chart.columns)), max(0.3, 0.27 * len(chart.rows)))
    across = max(1, min(3, int((_WIDTH + 2) // (size[0] + 0.3))))
    axes = _panels(
        canvas,
        len(chart.panels),
        size,
        left=_room(chart.rows) + 0.25,
        across=across,
        top=0.4,
        bottom=column_room + 0.3,
        gap=(0.3, 0.4),
    )
    known = [
        one.value
        for cells in chart.panels.values()
        for one in cells.values()
        if one.known
    ]
    low, high = chart.limits or (0.0, max([*known, 1.0]))
    for place, (ax, (title, cells)) in enumerate(
        zip(axes, chart.panels.items(), strict=True)
    ):
        values = np.array(
            [
                [cells.get((r, c), Estimate()).value for c in chart.columns]
                for r in chart.rows
            ]
        )
        ax.pcolormesh(
            values,
            cmap=colormaps["Blues"],
            vmin=low,
            vmax=high,
            edgecolors=PAPER,
            linewidth=1,
        )
        for i, j in np.argwhere(~np.isnan(values)):
            dark = (values[i, j] - low) / (high - low or 1) > 0.55
            text = (
                f"{values[i, j]:.0f}"
                if chart.limits is None
                else f"{values[i, j]:.2f}".removeprefix("0")
            )
            ax.text(
                j + 0.5,
                i + 0.5,
                text,
                ha="center",
                va="center",
                fontsize=7.5,
                color=_TEXT_ON_DARK if dark else _TEXT_ON_LIGHT,
            )
        ax.set_ylim(len(chart.rows), 0)
        # names stand at the left and the lower edge alone: at each panel they would be
        # most of the work
        first = place % across == 0
        last = place + across >= len(axes)
        turned: Any = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
        names = [_plain(name) for name in chart.columns] if last else []
        ax.set_xticks(np.arange(len(names)) + 0.5, names, **turned)
        names = [_plain(name) for name in chart.rows] if first else []
        ax.set_yticks(np.arange(len(names)) + 0.5, names)
        ax.tick_params(length=0, labelsize=8)
        ax.grid(visible=False)
        ax.set(
            ylabel=chart.row_axis if first else "",
            xlabel=chart.column_axis if last else "",
            xlim=(0, len(chart.columns)),
        )
        ax.set_title(title and _plain(title), loc="left")
        ax.spines[:].set_visible(False)


def _scatter(canvas: "Canvas", chart: Scatter, looks: Mapping[str, Look]) -> None:
    names = [*chart.points, *chart.references]
    below = _below(3.6, names, 0.55)
    (ax,) = _panels(
        canvas,
        1,
        (4.2, 3.6),
        left=0.65,
        right=_room(names) + 0.5,
        top=0.3,
        bottom=below,
    )
    for place, (name, one) in enumerate(
        (*chart.points.items(), *chart.references.items())
    ):
        look = looks.get(name, Look(place))
        hollow = name in chart.references
        colour = SOFT if hollow else look.colour
        for low, high, across in (
            (one.x.low, one.x.high, True),
            (one.y.low, one.y.high, False),
        ):
            ends = [low, high]
            still = [one.y.value if across else one.x.value] * 2
            ax.plot(
                *((ends, still) if across else (still, ends)),
                color=colour,
                linewidth=1.6,
                alpha=0.5,
            )
        ax.plot(
            [one.x.value],
            [one.y.value],
            linestyle="none",
            marker=look.marker,
            color=colour,
            label=_plain(name),
            fillstyle="none" if hollow else "full",
            markersize=7,
            clip_on=False,
            zorder=4,
        )
    for start, end in chart.arrows:
        tail = chart.points[start]
        head = chart.points[end]
        ax.annotate(
            "",
            (head.x.value, head.y.value),
            (tail.x.value, tail.y.value),
            annotation_clip=False,
            zorder=3,
            arrowprops={"arrowstyle": "->", "color": SOFT, "shrinkA": 4, "shrinkB": 4},
        )
    _limit(ax.set_xlim, chart.limits)
    _limit(ax.set_ylim, chart.limits)
    ax.set(xlabel=chart.x_axis, ylabel=chart.y_axis)
    if chart.note:
        ax.set_title(chart.note, loc="right", fontsize=8.5, fontweight="normal")
    _legend(ax)


def _below(height: float, names: Sequence[str], least: float) -> float:
    """Return the margin below axes of a height that leaves a legend of these names its
    room.
    """
    return max(least, 0.19 * len(names) + 0.15 - height)


def _legend(ax: "Axes", columns: int = 1) -> None:
    legend = ax.legend(
        loc="upper left", bbox_to_anchor=(1.05, 1.0), borderaxespad=0, ncols=columns
    )
    for handle in legend.legend_handles:
        getattr(handle, "set_markersize", lambda _: None)(6)


def _curves(canvas: "Canvas", chart: Curves, looks: Mapping[str, Look]) -> None:
    names = list(chart.lines)
    (ax,) = _panels(
        canvas,
        1,
        (4.2, 3.4),
        left=0.65,
        right=_room(names) + 0.7,
        top=0.4,
        bottom=_below(3.4, names, 0.6),
    )
    for number, (name, points) in enumerate(chart.lines.items()):
        # points that stand alone stand side by side
        shift = 0.0 if chart.joined else 0.012 * (number - (len(names) - 1) / 2)
        _line(ax, chart, name, points, looks.get(name, Look(number)), shift)
    if chart.diagonal:
        ax.plot([0, 1], [0, 1], color=SOFT, linewidth=1, linestyle=(0, (2, 3)))
    if chart.ticks:
        ax.set_xticks(
            range(len(chart.ticks)),
            [_plain(text, 18) for text in chart.ticks],
            fontsize=7.5,
        )
        ax.set_xlim(-0.3, len(chart.ticks) - 0.7)
    _limit(ax.set_ylim, (0.0, 1.0))
    ax.set(xlabel=chart.x_axis, ylabel=chart.y_axis)
    _legend(ax)


def _line(
    ax: "Axes",
    chart: Curves,
    name: str,
    points: Sequence[Any],
    look: Look,
    shift: float,
) -> None:
    known = [point for point in points if point.y.known]
    for point in known:
        if point.y.has_interval:
            ends = [point.y.low, point.y.high]
            ax.plot(
                [point.x.value + shift] * 2,
                ends,
                color=look.colour,
                linewidth=1.6,
                alpha=0.45,
            )
    style = "-" if chart.joined else "none"
    ax.plot(
        [p.x.value + shift for p in known],
        [p.y.value for p in known],
        color=look.colour,
        marker=look.marker,
        markersize=5,
        linewidth=1.6,
        linestyle=style,
        label=_plain(name),
        clip_on=False,
    )


def _stacks(canvas: "Canvas", chart: Stacks, looks: Mapping[str, Look]) -> None:
    names = [
        f"{_plain(name)} (n={n:,.0f})"
        for name, n in zip(chart.names, chart.n, strict=True)
    ]
    room = _LETTER * max(map(len, names)) + 0.15
    height = 0.3 * len(names) + 0.1
    bottom = _below(height, list(chart.parts), 0.4)
    (ax,) = _panels(
        canvas, 1, (3.6, height), left=room, right=2.0, top=0.2, bottom=bottom
    )
    start = [0.0] * len(chart.names)
    for part, shares in chart.parts.items():
        known = [0.0 if math.isnan(share) else share for share in shares]
        ax.barh(
            range(len(known)),
            known,
            left=start,
            color=chart.colours[part],
            label=part,
            height=0.72,
        )
        for i, share in enumerate(known):
            if share >= 0.06:
                ax.text(
                    start[i] + share / 2,
                    i,
                    f"{100 * share:.0f}",
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    color=_ink_on(chart.colours[part]),
                )
        start = [at + share for at, share in zip(start, known, strict=True)]
    ax.set_yticks(range(len(names)), names)
    ax.set(ylim=(len(names) - 0.5, -0.5), xlim=(0, 1))
    ax.tick_params(length=0)
    ax.grid(visible=False)
    _legend(ax)


def _ink_on(colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return (
        _TEXT_ON_DARK if 0.3 * red + 0.6 * green + 0.1 * blue < 130 else _TEXT_ON_LIGHT
    )


_KINDS: Mapping[type, Any] = {
    Dots: _dots,
    Grid: _grid,
    Scatter: _scatter,
    Curves: _curves,
    Stacks: _stacks,
}
