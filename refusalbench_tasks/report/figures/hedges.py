"""The figures of BLUFF-1000 runs."""

from collections.abc import Callable

import numpy as np

from refusalbench_tasks.metrics.calibration import bin_index
from refusalbench_tasks.metrics.hedging_columns import BINS, MISSED_BELOW, columns
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Curves, Dots, Point, Scatter
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.figures.rates import correlation_note
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.stats.proportion import wilson

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
    known = [one for one in group.systems if one.number("asi").known]
    if not known:
        return "no pair of replies has a confidence in both arms and no refusal"
    doubled = (
        "each doubled" if known[0].run.protocol == "official-code" else "CS doubled"
    )
    values = {
        name: [one.number(name).value for one in known]
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
            {"ASI": [one.number("asi") for one in known]},
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
        shown: [one.number(name) for one in systems] for shown, name in names.items()
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
                shown: [one.number(name).value for one in systems]
                for shown, name in compared.items()
            },
            notes={"lift": [one.number("hedge_lift").value for one in systems]},
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
    points = {one.label: Point(one.number(x), one.number(y)) for one in group.systems}
    return {label: one for label, one in points.items() if one.x.known and one.y.known}


def reliability_diagram(group: Group) -> Figure | str:
    """Return the mean grade of the answers by confidence."""
    points = {system.label: _reliability(system) for system in group.systems}
    lines = {label: line for label, line in points.items() if line}
    if not lines:
        return _NO_CONFIDENCE
    return Figure(
        "reliability",
        "Reliability diagram",
        f"mean grade of the answers{_credit(group)} by confidence, ten bins of equal"
        " width, drawn at the bin's mean confidence; the diagonal is perfect"
        " calibration; 95 % Wilson CIs, with the bin's questions for its n",
        Curves(lines, "confidence", "answer correctness", diagonal=True, joined=False),
    )


def _reliability(system: SystemView) -> list[Point]:
    """Return a point for each bin that is not empty, the least confident first.

    Replies to one question are not independent, so a CI rests on the number of
    questions.
    """
    cells = columns(system.rows)
    confidence = cells["confidence"]
    correct = cells["answer_correctness"]
    questions = system.rows["cluster"].to_numpy()
    known = ~(np.isnan(confidence) | np.isnan(correct))
    bins = bin_index(np.nan_to_num(confidence), BINS)
    points = []
    for k in np.unique(bins[known]):
        inside = known & (bins == k)
        mean = float(correct[inside].mean())
        n = len(set(questions[inside]))
        low, high = wilson(mean * n, n)
        grade = Estimate(mean, int(inside.sum()), low=low, high=high)
        points.append(Point(Estimate(float(confidence[inside].mean())), grade))
    return points


def _credit(group: Group) -> str:
    return (
        " (refusals at 0.4)" if group.systems[0].run.protocol == "official-code" else ""
    )
