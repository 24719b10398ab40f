"""The figures of BLUFF-1000 runs."""

from collections.abc import Callable
from typing import Any

import numpy as np

from refusalbench_tasks.metrics.calibration import equal_width
from refusalbench_tasks.metrics.hedging_columns import MISSED_BELOW, columns
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Curves, Dots, Point, Scatter
from refusalbench_tasks.report.figures.calibration import INTERVALS, reliability_points
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.figures.rates import correlation_note
from refusalbench_tasks.report.system import Group, ShownSystem
from refusalbench_tasks.stats.cluster import Floats

_NO_CONFIDENCE = "no graded answer has a confidence"
_FORMULAS = {
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
    known = [one for one in group.systems if one.hedging["asi"].known]
    if not known:
        return "no pair of replies has a confidence in both arms and no refusal"
    doubled = (
        "each doubled" if known[0].run.protocol == "official-code" else "CS doubled"
    )
    values = {
        name: [one.hedging[name].value for one in known]
        for name in ("asi_null", "asi_p")
    }
    return Figure(
        "asi",
        "Ambiguity Sensitivity Index",
        "mean over pairs without refusals of (CS + HS) / 2; CS = confidence under"
        " clear - under ambiguous sources, HS = hedging density under ambiguous -"
        f" under clear sources, {doubled} if negative. Because of the doubling an ASI"
        " without any effect is not 0 but at the upright mark, the mean of the ASI and"
        " the ASI with the arms exchanged; p is two-sided, against the mark, by"
        " exchanging arms (in the numbers)",
        Dots(
            [one.label for one in known],
            {"ASI": [one.hedging["asi"] for one in known]},
            None,
            marks={"ASI": values["asi_null"]},
            notes={"p": values["asi_p"]},
        ),
    )


def index_against_correctness(group: Group) -> Figure | str:
    """Return the index against the correctness of the answers, with their correlation
    over the models.
    """
    points = _points(group, "answer_correctness", "asi")
    if not points:
        return "no run has graded answers and pairs with a confidence"
    models = [points[one.label] for one in group.models if one.label in points]
    note = correlation_note(
        [one.x.value for one in models], [one.y.value for one in models]
    )
    return Figure(
        "asi-against-correctness",
        "Ambiguity sensitivity against answer correctness",
        "ASI = mean over pairs of (CS + HS) / 2; answer correctness = mean grade of the"
        " answers; crosses are 95 % CIs by question",
        Scatter(points, "answer correctness", "ASI", note=note, limits=None),
    )


def hedge_quality(group: Group) -> Figure | str:
    """Return whether hedges mark wrong answers, beside what hedges that tell nothing
    reach.
    """
    names = {
        "hedge precision": "hedge_precision",
        "hedge recall": "hedge_recall",
        "VUI": "vui",
        "answer correctness": "answer_correctness",
    }
    compared = {"hedge precision": "hedge_base_rate", "VUI": "vui_of_always_hedging"}
    systems = group.systems
    series = {
        shown: [one.hedging[name] for one in systems] for shown, name in names.items()
    }
    if not any(one.known for values in series.values() for one in values):
        return "no answer is graded"
    return Figure(
        "hedges",
        "Do hedges mark wrong answers?",
        "precision = wrong / hedged answers; recall = hedged / wrong answers; VUI = 2PR"
        " / (P + R). A model that is often wrong reaches high values with any hedges,"
        " so the upright marks are what to compare with: the share of wrong answers"
        " (precision of hedges that tell nothing) and the VUI of hedging every answer;"
        " lift (in the numbers) = precision / share of wrong answers",
        Dots(
            [one.label for one in systems],
            series,
            marks={
                shown: [one.hedging[name].value for one in systems]
                for shown, name in compared.items()
            },
            notes={"lift": [one.hedging["hedge_lift"].value for one in systems]},
        ),
    )


def against(x: str, y: str) -> Callable[[Group], Figure | str]:
    """Return the figure of one metric of each run against another."""

    def made(group: Group) -> Figure | str:
        points = _points(group, x, y)
        if not points:
            return f"no run has {label_of(x)} and {label_of(y)}"
        return Figure(
            f"{y}-against-{x}".replace("_", "-"),
            f"{label_of(y).capitalize()} against {label_of(x)}",
            f"{_FORMULAS[x]}; {_FORMULAS[y]}; lines are 95 % CIs by question, where"
            " there are any",
            Scatter(points, label_of(x), label_of(y), limits=None),
        )

    return made


def _points(group: Group, x: str, y: str) -> dict[str, Point]:
    points = {one.label: Point(one.hedging[x], one.hedging[y]) for one in group.systems}
    return {label: one for label, one in points.items() if one.x.known and one.y.known}


def reliability_diagram(group: Group) -> Figure | str:
    """Return the mean grade of the answers by confidence."""
    graded = {one.label: _graded(one) for one in group.systems}
    lines = {
        label: reliability_points(
            equal_width(confidence, correct), confidence.tolist(), list(rows["cluster"])
        )
        for label, (confidence, correct, rows) in graded.items()
        if len(confidence)
    }
    if not lines:
        return _NO_CONFIDENCE
    return Figure(
        "reliability",
        "Reliability diagram",
        f"mean grade of the answers{_credit(group)} by confidence, ten bins of equal"
        " width, drawn at the bin's mean confidence; the diagonal is perfect"
        f" calibration; {INTERVALS}",
        Curves(lines, "confidence", "answer correctness", diagonal=True, joined=False),
    )


def _graded(system: ShownSystem) -> tuple[Floats, Floats, Any]:
    """Return confidence, correctness and rows of the replies that have both."""
    of = columns(system.rows)
    confidence = of["confidence"]
    correct = of["answer_correctness"]
    both = ~(np.isnan(confidence) | np.isnan(correct))
    return confidence[both], correct[both], system.rows[both]


def _credit(group: Group) -> str:
    return (
        " (refusals at 0.4)" if group.systems[0].run.protocol == "official-code" else ""
    )
