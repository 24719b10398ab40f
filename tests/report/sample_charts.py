"""A chart of each kind, with hostile text."""

from collections import Counter

from refusalbench_tasks.report.charts import (
    Chart,
    Curves,
    Dots,
    Grid,
    Point,
    Scatter,
    Stacks,
)
from refusalbench_tasks.stats.estimate import Estimate

EVIL = "<b>$x_1$\n\x00 & \ud800 \\frac{"
NAMES = [EVIL, "b"]
ONE = Estimate(0.4, 20, low=0.2, high=0.7)
NONE = Estimate()
CHARTS: dict[str, Chart] = {
    "dots": Dots(
        NAMES, {"rate": [ONE, NONE], EVIL: [ONE, ONE]}, marks={"rate": [0.5, 0.6]}
    ),
    "differences": Dots(NAMES, {"ASI": [Estimate(-0.3, 3), ONE]}, limits=None),
    "grid": Grid({EVIL: {(EVIL, "c"): ONE}, "": {}}, NAMES, ["c", "d"]),
    "scatter": Scatter(
        {EVIL: Point(ONE, ONE)}, "x", "y", {"ref": Point(ONE, ONE)}, "r = 1"
    ),
    "curve": Curves({EVIL: [Point(Estimate(0.1), ONE)]}, "x", "y", diagonal=True),
    "ticks": Curves({"b": [Point(Estimate(1.0), ONE)]}, "x", ticks=["one", EVIL]),
    "stacks": Stacks(
        {EVIL: Counter(good=1, bad=3), "b": Counter()},
        {"good": "#009e73", "bad": "#e69f00", "none": "#000000"},
        {"bad": "//"},
        as_counts=True,
    ),
}
