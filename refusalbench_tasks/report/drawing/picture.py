"""One chart as PNG and as SVG."""

from dataclasses import dataclass

from refusalbench_tasks.report.charts import Bars, Chart, CurvePanels, Curves, HeatMap, HeatMaps, Scatter, Stacks
from refusalbench_tasks.report.drawing.bar_panels import draw_bar_panels
from refusalbench_tasks.report.drawing.bars import draw_bars
from refusalbench_tasks.report.drawing.bitmap import png
from refusalbench_tasks.report.drawing.curve_panels import draw_curve_panels
from refusalbench_tasks.report.drawing.curves import draw_curves
from refusalbench_tasks.report.drawing.heat_map import draw_heat_map, draw_heat_maps
from refusalbench_tasks.report.drawing.one_bar import in_panels
from refusalbench_tasks.report.drawing.scatter import draw_scatter
from refusalbench_tasks.report.drawing.scene import Scene
from refusalbench_tasks.report.drawing.stacks import draw_stacks
from refusalbench_tasks.report.drawing.svg import svgs


@dataclass(frozen=True)
class Picture:
    """The bytes of a PNG file, the text of an SVG file, and the SVG of the page, all with their text as text."""

    png: bytes
    svg: str
    on_page: str


def picture(chart: Chart, title: str = "") -> Picture:
    """Return the picture of a chart; `title` is what a screen reader says of it on the page."""
    scene = scene_of(chart)
    return Picture(png(scene), *svgs(scene, title))


def scene_of(chart: Chart) -> Scene:
    """Return the chart as shapes and texts."""
    match chart:
        case Bars():
            return draw_bar_panels(chart) if in_panels(chart) else draw_bars(chart)
        case HeatMap():
            return draw_heat_map(chart)
        case HeatMaps():
            return draw_heat_maps(chart)
        case Curves():
            return draw_curves(chart)
        case CurvePanels():
            return draw_curve_panels(chart)
        case Scatter():
            return draw_scatter(chart)
        case Stacks():
            return draw_stacks(chart)
