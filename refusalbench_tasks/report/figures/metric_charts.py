"""Charts of metrics: what several figures draw alike."""

import math
from collections.abc import Mapping, Sequence

from scipy.stats import pearsonr

from refusalbench_tasks.report.charts import Dots, Point
from refusalbench_tasks.report.groups import Group, SystemView


def metric_points(group: Group, x: str, y: str) -> dict[str, Point]:
    """Return the systems that have both of two metrics as points, by label."""
    points = {}
    for system in group.systems:
        point = Point(system.number(x), system.number(y))
        if point.x.known and point.y.known:
            points[system.label] = point
    return points


def metric_dots(systems: Sequence[SystemView], metrics: Mapping[str, str]) -> Dots:
    """Return metrics of systems with their CIs; `metrics` names each by its title."""
    series = {}
    for title, metric in metrics.items():
        series[title] = [system.number(metric) for system in systems]
    return Dots(labels_of(systems), series)


def labels_of(systems: Sequence[SystemView]) -> list[str]:
    """Return what the systems are called."""
    return [system.label for system in systems]


def model_correlation(group: Group, points: Mapping[str, Point]) -> str:
    """Return the correlation of points over the newest run of each model, in words."""
    models = [points[label] for label in labels_of(group.models) if label in points]
    x = [point.x.value for point in models]
    y = [point.y.value for point in models]
    return correlation_note(x, y)


def correlation_note(x: Sequence[float], y: Sequence[float]) -> str:
    """Return Pearson's r with its n and, from four models on, its 95 % CI by Fisher's
    z; empty with fewer than three, or without a spread.
    """
    n = len(x)
    if n < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return ""
    correlation = pearsonr(x, y)
    r = float(correlation.statistic)
    low, high = correlation.confidence_interval()
    # three models give no CI, and points on a line give one without a width
    has_interval = n > 3 and not math.isclose(abs(r), 1)
    interval = f" [{low:.2f}, {high:.2f}]" if has_interval else ""
    return f"r = {r:.2f}{interval} over {n} models"
