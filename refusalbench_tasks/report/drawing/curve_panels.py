"""Small charts of curves in rows."""

import math

from refusalbench_tasks.report.charts import CurvePanels, Curves
from refusalbench_tasks.report.drawing.axes import Scale, y_axis
from refusalbench_tasks.report.drawing.curves import curve_keys, interval
from refusalbench_tasks.report.drawing.legend import add_legend
from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.scene import Group, Item, Line, Scene, Text, disc
from refusalbench_tasks.report.drawing.style import GRID, INK, colour, line, shape, shown, shown_names
from refusalbench_tasks.report.drawing.told import told

_LEVEL = 4
"""Names of more places than this stand upright."""
_LEFT, _WIDE, _HIGH, _APART = 64.0, 184.0, 130.0, 14.0
_SMALL = 9.0


def draw_curve_panels(chart: CurvePanels) -> Scene:
    """Return the picture: rows of panels with one axis from 0 to 1, n below each place, one legend."""
    across = max(len(panels) for panels in chart.rows.values())
    names = list(dict.fromkeys(name for row in chart.rows.values() for one in row.values() for name in one.lines))
    looks = {name: chart.looks.get(name, i) for i, name in enumerate(names)}
    scene = Scene(_LEFT + across * (_WIDE + _APART), 0)
    top, first = 24.0, next(iter(next(iter(chart.rows.values())).values()))
    for i, (row, panels) in enumerate(chart.rows.items()):
        scene.add(Text(14, top + _HIGH / 2, shown(row), 11, "middle", turn=90, bold=True))
        foot = max(_foot(panel) for panel in panels.values())
        for k, (title, panel) in enumerate(panels.items()):
            left = _LEFT + k * (_WIDE + _APART)
            if i == 0:
                scene.add(Text(left + _WIDE / 2, 14, shown(title), 11, "middle", bold=True))
            scene.add(*_panel(panel, looks, left, top, f"{title}, {row}", numbered=k == 0))
        top += _HIGH + foot
    add_legend(scene, curve_keys(names, shown_names(names), first, looks), top)
    return scene


def _foot(panel: Curves) -> float:
    if len(panel.ticks) <= _LEVEL:
        return 30.0 + 12 * max(text.count("\n") for text in _ticks(panel, "\n"))
    return 26 + max((width_of(text, _SMALL) for text in _ticks(panel, ", ")), default=0.0)


def _panel(panel: Curves, looks: dict[str, int], left: float, top: float, title: str, numbered: bool) -> list[Item]:
    x, y = Scale(-0.5, len(panel.ticks) - 0.5, left, left + _WIDE), Scale(-0.04, 1.04, top + _HIGH, top)
    items = y_axis(y, left, left + _WIDE, numbered=numbered)
    items += _places(panel, x, top + _HIGH)
    apart = min(7.0, 60.0 / max(len(panel.lines) * len(panel.ticks), 1))
    for k, (name, points) in enumerate(panel.lines.items()):
        look, shift = looks[name], (k - (len(panel.lines) - 1) / 2) * apart
        known = [point for point in points if point.y.known]
        marks: list[Item] = []
        if panel.joined and len(known) > 1:
            marks.append(Line([(x.at(p.x) + shift, y.at(p.y.value)) for p in known], colour(look), 1.3, line(look)))
        for point in known:
            at = x.at(point.x) + shift
            dot = disc(at, y.at(point.y.value), shape(look), 3.2, colour(look))
            tip = told(point.y, name, title, panel.ticks[int(point.x)])
            marks.append(Group([*interval(at, y, point, colour(look)), dot], "", tip))
        items.append(Group(marks, name))
    return items


def _places(panel: Curves, x: Scale, bottom: float) -> list[Item]:
    items: list[Item] = [Line(((x.start, bottom), (x.end, bottom)), INK)]
    if len(panel.ticks) <= _LEVEL:
        for k, text in enumerate(_ticks(panel, "\n")):
            items += [
                Text(x.at(k), bottom + 13 + 12 * j, part, _SMALL, "middle") for j, part in enumerate(text.split("\n"))
            ]
    else:
        items += [
            Text(x.at(k) + 3, bottom + 6, text, _SMALL, "end", turn=90)
            for k, text in enumerate(_ticks(panel, ", "))
        ]  # fmt: skip
    return [*items, *(Line(((x.at(k), bottom), (x.at(k), bottom + 3)), GRID) for k in range(len(panel.ticks)))]


def _ticks(panel: Curves, between: str) -> list[str]:
    most = [
        max((p.y.n for points in panel.lines.values() for p in points if p.x == k), default=0.0)
        for k in range(len(panel.ticks))
    ]
    # two numbers side by side would run into the neighbours
    names = [shown(tick.replace(" to ", "\nto ") if between == "\n" else tick) for tick in panel.ticks]
    return [f"{name}{between}n {0 if math.isnan(n) else n:.0f}" for name, n in zip(names, most, strict=True)]
