"""The figures of BLUFF-1000 runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from refusalbench_tasks.metrics import calibration
from refusalbench_tasks.metrics.hedging_columns import MISSED_BELOW, hedging_columns
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Curves, Figure, Point, Scatter
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.stats.estimate import Estimate

from .metric_charts import (
    metric_dots,
    metric_points,
    model_correlation,
)

_NO_CONFIDENCE = "no graded answer has a confidence"
_HEDGE_QUALITY = {
    "hedge precision": "hedge_precision",
    "hedge recall": "hedge_recall",
    "VUI": "vui",
    "answer correctness": "answer_correctness",
}
_FORMULAS = {
    "asi": "ASI = mean over pairs of (CS + HS) / 2",
    "refusal_sensitivity": (
        "refusal sensitivity = refusal rate under ambiguous - under clear sources"
    ),
    "faithfulness": "faithfulness as in the table",
    "refusal_count": "refusal count = replies that refuse, of all replies",
    "missed_refusals": f"missed refusals = answers with a grade below {MISSED_BELOW:g}",
    "answer_correctness": "answer correctness = mean grade of the answers",
}


def index(group: Group) -> Figure | str:
    """Return the index, beside what it would be without any effect."""
    known = [system for system in group.systems if system.number("asi").known]
    if not known:
        return "no pair of replies has a confidence in both arms and no refusal"
    official = known[0].run.protocol == "official-code"
    doubled = "each doubled" if official else "CS doubled"
    chart = replace(
        metric_dots(known, {"ASI": "asi"}),
        limits=None,
        marks={"ASI": _values(known, "asi_null")},
        notes={"p": _values(known, "asi_p")},
    )
    return Figure(
        "asi",
        "Ambiguity Sensitivity Index",
        "mean over pairs without refusals of (CS + HS) / 2; CS = confidence under"
        " clear - under ambiguous sources, HS = hedging density under ambiguous -"
        f" under clear sources, {doubled} if negative. Because of the doubling an ASI"
        " without any effect is not 0 but at the upright mark, the mean of the ASI and"
        " the ASI with the arms exchanged; p is two-sided, against the mark, by"
        " exchanging arms (in the numbers)",
        chart,
    )


def hedge_quality(group: Group) -> Figure | str:
    """Return whether hedges mark wrong answers, beside what hedges that tell nothing
    reach.
    """
    systems = group.systems
    chart = metric_dots(systems, _HEDGE_QUALITY)
    if not any(value.known for values in chart.series.values() for value in values):
        return "no answer is graded"
    marks = {
        "hedge precision": _values(systems, "hedge_base_rate"),
        "VUI": _values(systems, "vui_of_always_hedging"),
    }
    return Figure(
        "hedges",
        "Do hedges mark wrong answers?",
        "precision = wrong / hedged answers; recall = hedged / wrong answers; VUI = 2PR"
        " / (P + R). A model that is often wrong reaches high values with any hedges,"
        " so the upright marks are what to compare with: the share of wrong answers"
        " (precision of hedges that tell nothing) and the VUI of hedging every answer;"
        " lift (in the numbers) = precision / share of wrong answers",
        replace(chart, marks=marks, notes={"lift": _values(systems, "hedge_lift")}),
    )


def _values(systems: Sequence[SystemView], metric: str) -> list[float]:
    return [system.number(metric).value for system in systems]


def against(x: str, y: str) -> Callable[[Group], Figure | str]:
    """Return the figure of one metric of each run against another, with their
    correlation over the models.
    """

    def figure(group: Group) -> Figure | str:
        points = metric_points(group, x, y)
        if not points:
            return f"no run has {label_of(x)} and {label_of(y)}"
        title = f"{label_of(y)} against {label_of(x)}"
        return Figure(
            f"{y}-against-{x}".replace("_", "-"),
            title[0].upper() + title[1:],
            f"{_FORMULAS[x]}; {_FORMULAS[y]}; lines are 95 % CIs by question, where"
            " there are any",
            Scatter(
                points,
                label_of(x),
                label_of(y),
                note=model_correlation(group, points),
                limits=None,
            ),
        )

    return figure


def grades_by_confidence(group: Group) -> Figure | str:
    """Return the mean grade of the answers by confidence."""
    points = {system.label: _bins(system) for system in group.systems}
    lines = {label: line for label, line in points.items() if line}
    if not lines:
        return _NO_CONFIDENCE
    official = group.systems[0].run.protocol == "official-code"
    credit = " (refusals at 0.4)" if official else ""
    certain = ", and one for a confidence of 1, which is in none" if official else ""
    return Figure(
        "reliability",
        "Reliability diagram",
        f"mean grade of the answers{credit} by confidence, ten bins of equal"
        f" width{certain}, drawn at the bin's mean confidence; the diagonal is perfect"
        " calibration; 95 % Wilson CIs, with the bin's questions for its n",
        Curves(
            lines,
            "confidence",
            "answer correctness",
            diagonal=True,
        ),
    )


def _bins(system: SystemView) -> list[Point]:
    """Return a point for each bin that is not empty, the least confident first."""
    columns = hedging_columns(system.rows)
    grades = calibration.binned_grades(columns, system.rows["cluster"])
    return [Point(Estimate(confidence), grade) for confidence, grade in grades]
