"""The curves of risk against coverage."""

from collections.abc import Mapping, Sequence

from refusalbench_tasks.metrics.selective import risk_coverage
from refusalbench_tasks.report.charts import Curves, Point, Value
from refusalbench_tasks.stats.cluster import Floats

Numbers = Sequence[float] | Floats


def risk_curves(replies: Mapping[str, tuple[Numbers, Numbers]]) -> Curves:
    """Return the risk-coverage curve of each run, with its area, from the confidence and the risk of each reply."""
    lines, areas = {}, {}
    for label, (confidence, risk) in replies.items():
        curve = risk_coverage(confidence, risk)
        points = zip(curve.coverage, curve.risk, strict=True)
        areas[label] = curve.area
        lines[label] = [Point(float(x), Value(float(y), n=round(float(x) * len(confidence)))) for x, y in points]
    return Curves(lines, "coverage", "risk", notes={"AURC": areas})
