"""Charts as pictures: SVG and PDF by matplotlib."""

import io
import logging
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refusalbench_tasks.bounded_reading import data_yaml

from .chart_axes import draw_dots, draw_grid, draw_stacks
from .charts import Chart, Curves, Dots, Grid, Scatter, Stacks
from .point_axes import draw_curves, draw_scatter
from .styles import GRID, INK, PAPER, SOFT, Looks, shown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas
    from matplotlib.transforms import Bbox

_RC = data_yaml("report", "matplotlib.yaml") | {
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": SOFT,
    "grid.color": GRID,
    "figure.facecolor": PAPER,
}
_ASIDE = re.compile(
    r"<metadata>.*?</metadata>"
    r"|<style.*?</style>"
    r"|<title>.*?</title>"
    r'| xmlns:xlink="[^"]*"',
    re.DOTALL,
)
"""What a picture has as a file, and not as part of a page."""
_USE_OF_ID = re.compile(r'(?:url\(|href=")#([\w-]+)')
_ON_PAGE = {
    INK: "currentColor",
    SOFT: "var(--soft)",
    GRID: "var(--grid)",
    PAPER: "var(--paper)",
}
_DRAWN_BY: Mapping[type, Callable[..., None]] = {
    Dots: draw_dots,
    Grid: draw_grid,
    Scatter: draw_scatter,
    Curves: draw_curves,
    Stacks: draw_stacks,
}


@dataclass(frozen=True)
class Picture:
    """One drawn chart: SVG for a file, SVG without ids or styles of its own for the
    page, and PDF.
    """

    svg: str
    on_page: str
    pdf: bytes


def draw_chart(chart: Chart, looks: Looks, title: str) -> Picture:
    """Return the picture of a chart; names in `looks` have their system's colour and
    marker.

    Equal charts give equal pictures. Text in names is drawn letter by letter: no
    mathematics, no line breaks.
    """
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    short = shown_name(title)
    # nothing is said of letters that a font lacks
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with (
        matplotlib.rc_context({**_RC, "svg.hashsalt": short}),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        canvas = Canvas()
        _DRAWN_BY[type(chart)](canvas, chart, looks)
        # the letters of a page may be wider than those that are measured here
        box = canvas.get_tightbbox().padded(0.25, 0.1)
        metadata = {"Title": short}
        svg = _file(
            canvas,
            box,
            "svg",
            {"Date": None, **metadata},
        )
        pdf = _file(
            canvas,
            box,
            "pdf",
            {"CreationDate": None, **metadata},
        )
    return Picture(
        svg.decode(),
        _on_page(svg.decode(), shown_name(title, 200)),
        pdf,
    )


def _file(
    canvas: "Canvas",
    box: "Bbox",
    form: str,
    metadata: Mapping[str, str | None],
) -> bytes:
    file = io.BytesIO()
    canvas.savefig(
        file,
        format=form,
        metadata=metadata,
        bbox_inches=box,
    )
    return file.getvalue()


def _on_page(svg: str, title: str) -> str:
    """Return the picture as part of a page: in its colours, with a name, and with ids
    that no other picture has.
    """
    from markupsafe import escape

    text = _ASIDE.sub("", svg[svg.index("<svg") :])
    used = set(_USE_OF_ID.findall(text))
    text = re.sub(
        r' id="([\w.-]+)"', lambda match: match[0] if match[1] in used else "", text
    )
    for colour, variable in _ON_PAGE.items():
        text = text.replace(colour, variable)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)
