"""One bar, and what all bars of a picture have in common."""

from refusalbench_tasks.report.charts import Bars, Value
from refusalbench_tasks.report.drawing.axes import Scale, fitted
from refusalbench_tasks.report.drawing.letters import width_of
from refusalbench_tasks.report.drawing.scene import Area, Item, Line, Text, box
from refusalbench_tasks.report.drawing.style import INK, SERIES, colour
from refusalbench_tasks.report.drawing.told import n_of

WIDTH = 760.0
FADED = (1.0, 0.5, 0.25)
"""How strong the colour of a model is, series by series."""


def in_panels(chart: Bars) -> bool:
    """Whether each series has a panel of its own: where it is to have, and where models have more than three."""
    return chart.apart or (of_models(chart) and len(chart.series) > len(FADED))


def of_models(chart: Bars) -> bool:
    """Whether the bars are models', and have their colours."""
    return any(name in chart.looks for name in chart.names)


def scale_of(chart: Bars, left: float, right: float) -> Scale:
    """Return the axis of the chart: its limits, or what all values fit in."""
    if chart.limits:
        return Scale(*chart.limits, left, right)
    values = [end for values in chart.series.values() for v in values for end in (v.value, v.low, v.high)]
    return fitted([*values, *(value for mark in chart.marks for value in mark.values)], left, right, zero=True)


def paint(chart: Bars, name: str, k: int) -> tuple[str, float]:
    """Return colour and strength of a bar: its model's, or its series'."""
    if name in chart.looks:
        return colour(chart.looks[name]), FADED[k % len(FADED)]
    return SERIES[k % len(SERIES)], 1.0


def ns_width(chart: Bars) -> float:
    """Return the room that the n behind bars take."""
    ns = [n_of(value) for values in chart.series.values() for value in values]
    return max((width_of(text, 9.5) + 10 for text in ns if text), default=4.0)


def bar_items(scale: Scale, value: Value, y: float, high: float, fill: str, opacity: float) -> list[Item]:
    """Return a bar with its interval; a value of 0 is seen, and is not the same as none."""
    zero = scale.inside(0.0)
    if not value.known:
        return [Text(zero + 4, y + 3.5, "undefined", 9.5)]
    end = scale.inside(value.value)
    items: list[Item] = [Area(box(zero, y - high / 2, end - zero, high, fill).points, fill, opacity=opacity)]
    if opacity < 1:
        items.append(box(zero, y - high / 2, end - zero, high, None, fill))
    if value.has_interval:
        low, top = scale.inside(value.low), scale.inside(value.high)
        items += [Line(((low, y), (top, y)), INK, 1.2), *(Line(((x, y - 3), (x, y + 3)), INK, 1.2) for x in (low, top))]
    if value.value == 0:
        items.append(Line(((zero, y - high / 2), (zero, y + high / 2)), fill, 3))
        after = scale.inside(value.high) if value.has_interval else zero
        items.append(Text(max(after, zero) + 5, y + 3.5, "0", 9.5))
    return items
