"""One chart as PNG and as SVG."""

import io
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from refusalbench_tasks.report.charts import Bars, Chart, CurvePanels, Curves, HeatMap, HeatMaps, Scatter, Stacks
from refusalbench_tasks.report.drawing.style import RC

DPI = 144


@dataclass(frozen=True)
class Picture:
    """The bytes of a PNG file, and the text of an SVG file with its text as text."""

    png: bytes
    svg: str


def picture(chart: Chart) -> Picture:
    """Return the picture of a chart."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(cast(Any, RC)):
        # without pyplot no window system is asked for, and nothing is kept between pictures
        figure = _drawn(chart, partial(Figure, layout="constrained", dpi=DPI))
        figure.draw_without_rendering()
        # the places are found once, not again for each file
        figure.set_layout_engine("none")
        png, svg = io.BytesIO(), io.StringIO()
        # savefig would draw twice for each file
        bitmap, vector = cast(Any, FigureCanvasAgg(figure)), cast(Any, FigureCanvasSVG(figure))
        bitmap.print_png(png, metadata={"Software": None})
        vector.print_svg(svg, metadata={"Date": None, "Creator": None})
    return Picture(png.getvalue(), svg.getvalue())


def _drawn(chart: Chart, figures: Any) -> Any:
    from refusalbench_tasks.report.drawing.bars import draw_bars
    from refusalbench_tasks.report.drawing.curve_panels import draw_curve_panels
    from refusalbench_tasks.report.drawing.curves import draw_curves
    from refusalbench_tasks.report.drawing.heat_map import draw_heat_map, draw_heat_maps
    from refusalbench_tasks.report.drawing.scatter import draw_scatter
    from refusalbench_tasks.report.drawing.stacks import draw_stacks

    match chart:
        case Bars():
            return draw_bars(chart, figures)
        case HeatMap():
            return draw_heat_map(chart, figures)
        case HeatMaps():
            return draw_heat_maps(chart, figures)
        case Curves():
            return draw_curves(chart, figures)
        case CurvePanels():
            return draw_curve_panels(chart, figures)
        case Scatter():
            return draw_scatter(chart, figures)
        case Stacks():
            return draw_stacks(chart, figures)
