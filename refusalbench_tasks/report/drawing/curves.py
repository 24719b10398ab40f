"""Lines through points."""

import math
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Curves, Point
from refusalbench_tasks.report.drawing.axes import Scale, named_x_axis, x_axis, y_axis
from refusalbench_tasks.report.drawing.legend import Key, add_legend, model_mark
from refusalbench_tasks.report.drawing.scene import Area, Group, Item, Line, Scene, Text, box, disc
from refusalbench_tasks.report.drawing.style import INK, colour, line, shape, shown, shown_names
from refusalbench_tasks.report.drawing.told import told

WIDTH = 720.0
_LEFT, _TOP, _BOTTOM = 52.0, 20.0, 330.0
_DOTTED = 25
"""Lines through more points than this are drawn without them."""
_APART = 2.0
"""Points of a longer line that are nearer to each other, in pixels, cannot be told apart by pointing."""


def draw_curves(chart: Curves) -> Scene:
    """Return the picture: one line or one row of points per name, intervals as bars where there are any."""
    x, y = _scales(chart)
    scene = Scene(WIDTH, _BOTTOM + 40, y_axis(y, _LEFT, WIDTH - 12, chart.y_axis))
    scene.add(*_x_axis(chart, x))
    if chart.diagonal:
        scene.add(Line(((x.at(0), y.at(0)), (x.at(1), y.at(1))), INK, 1, (2, 3)))
    most = max((p.y.n for points in chart.lines.values() for p in points if not math.isnan(p.y.n)), default=1.0)
    apart = 7.0 if chart.ticks else 0.0 if chart.joined else min(8.0, 40.0 / max(len(chart.lines), 1))
    for i, (name, points) in enumerate(chart.lines.items()):
        look, shift = chart.looks.get(name, i), (i - (len(chart.lines) - 1) / 2) * apart
        places = [(x.at(p.x) + shift, y.at(p.y.value)) for p in points]
        scene.add(Group(_line(chart, name, points, places, y, look, most), name))
    if not chart.joined:
        scene.add(Text(WIDTH - 12, 12, f"size by n; the largest: n = {most:,.0f}", 10, "end"))
    add_legend(scene, curve_keys(list(chart.lines), _labels(chart), chart), _BOTTOM + 40)
    return scene


def curve_keys(names: Sequence[str], labels: Sequence[str], chart: Curves, looks: dict[str, int] | None = None
               ) -> list[Key]:  # fmt: skip
    """Return the entries of the legend: a piece of each line with its marker."""
    keys = []
    for i, (name, label) in enumerate(zip(names, labels, strict=True)):
        look = (looks or chart.looks).get(name, i)
        stroke = [Line(((-8, 0), (8, 0)), colour(look), 1.6, line(look))] if chart.joined else []
        keys.append(Key(label, name, [*stroke, model_mark(0, 0, look)]))
    return keys


def interval(x: float, y: Scale, point: Point, ink: str) -> list[Item]:
    """Return the interval of a point as a bar."""
    if not point.y.has_interval:
        return []
    return [Line(((x, y.at(point.y.low)), (x, y.at(point.y.high))), ink, 1.2, opacity=0.75)]


def _line(chart: Curves, name: str, points: Sequence[Point], places: Sequence[tuple[float, float]], y: Scale,
          look: int, most: float) -> list[Item]:  # fmt: skip
    ink = colour(look)
    items: list[Item] = []
    whole = [place for place in places if not math.isnan(place[1])]
    if chart.joined and len(whole) > 1:
        items.append(Line(whole, ink, 1.6, line(look)))
    dotted, last = len(points) <= _DOTTED, (-math.inf, -math.inf)
    for point, (at, high) in zip(points, places, strict=True):
        if math.isnan(high):
            continue
        radius = 4.5 if chart.joined else 2.5 + 7.5 * math.sqrt(max(point.y.n, 0) / most)
        mark = disc(at, high, shape(look), radius, ink, opacity=1 if chart.joined else 0.8)
        if chart.joined and not dotted:
            if math.dist((at, high), last) < _APART and not point.y.has_interval:
                continue
            # nothing to be seen, and something to point at
            mark, last = Area(box(at - 5, high - 5, 10, 10, None).points, ink, opacity=0), (at, high)
        where = chart.ticks[int(point.x)] if chart.ticks else f"{point.x:.3g}"
        items.append(Group([*interval(at, y, point, ink), mark], "", told(point.y, name, f"{chart.x_axis} {where}")))
    return items


def _scales(chart: Curves) -> tuple[Scale, Scale]:
    xs = [point.x for points in chart.lines.values() for point in points]
    margin = 0.02 if chart.joined else 0.05
    y = Scale(-margin, 1 + margin, _BOTTOM, _TOP)
    if chart.ticks:
        return Scale(-0.5, len(chart.ticks) - 0.5, _LEFT, WIDTH - 12), y
    if chart.log_x:
        return Scale(min(xs) / 1.15, max(xs) * 1.15, _LEFT, WIDTH - 12, log=True), y
    if all(0 <= x <= 1 for x in xs):
        return Scale(-margin, 1 + margin, _LEFT, WIDTH - 12), y
    spread = (max(xs) - min(xs)) * 0.05 or 0.5
    return Scale(min(xs) - spread, max(xs) + spread, _LEFT, WIDTH - 12), y


def _x_axis(chart: Curves, x: Scale) -> list[Item]:
    if chart.ticks:
        return named_x_axis(x, _TOP, _BOTTOM, chart.x_axis, [shown(tick) for tick in chart.ticks])
    places = sorted({point.x for points in chart.lines.values() for point in points}) if chart.log_x else None
    return x_axis(x, _TOP, _BOTTOM, chart.x_axis, places)


def _labels(chart: Curves) -> list[str]:
    notes = [
        ", ".join(f"{key} {values[name]:.3f}" for key, values in chart.notes.items() if name in values)
        for name in chart.lines
    ]
    return [
        f"{name} ({note})" if note else name for name, note in zip(shown_names(list(chart.lines)), notes, strict=True)
    ]
