"""How often systems refuse, and how often rightly: trade-offs, rankings, kinds of
reply.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.named_sums import measured
from refusalbench_tasks.metrics.refusal_counts import count_sums
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.report.charts import (
    Curves,
    Figure,
    Point,
    Scatter,
    Stacks,
)
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.reply_kinds import (
    COLOURS,
    PATTERNS,
    meanings,
    reply_kinds,
)
from refusalbench_tasks.results.read_offline import run_bounds
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.taxonomy import PERTURBED, Label

from .metric_charts import (
    labels_of,
    metric_points,
    model_correlation,
)

_ALWAYS = {"always answers": Label.ANSWER, "always refuses": Label.MISSING}
_ERRORS = ("false_refusal_rate", "missed_refusal_rate")


def reference(group: Group, label: Label) -> dict[str, Estimate]:
    """Return the metrics of a model that gives every row the same label, unknown where
    its answers would matter.
    """
    rows = group.rows
    right_answer = NAN if label is Label.ANSWER else 1.0
    right = np.where(rows["expected"] == label.value, right_answer, 0.0)
    same = rows.assign(
        predicted=label.value,
        outcome="decided",
        right=right,
        codes=True,
        protocol="paper",
    )
    rates = measured(
        RATES.values(),
        count_sums(same),
        resamples=0,
    )
    return {name: Estimate(rate.value, n=rate.n) for name, rate in rates.items()}


def references(group: Group) -> dict[str, dict[str, Estimate]]:
    """Return the metrics of models that treat every row alike, by name, without those
    that a baseline among the runs is.
    """
    runs = []
    for system in group.systems:
        if system.run.baseline:
            runs.append([system.number(name).value for name in _ERRORS])
    alike = {}
    for name, label in _ALWAYS.items():
        values = reference(group, label)
        errors = [values[error].value for error in _ERRORS]
        if not any(np.array_equal(errors, run, equal_nan=True) for run in runs):
            alike[name] = values
    return alike


def _against(group: Group, x: str, y: str) -> Scatter | None:
    """Return systems as points of two rates, with models that treat all rows alike;
    None if no system has both.
    """
    points = metric_points(group, x, y)
    if not points:
        return None
    alike = {}
    for name, values in references(group).items():
        if values[x].known and values[y].known:
            alike[name] = Point(values[x], values[y])
    return Scatter(
        points,
        label_of(x),
        label_of(y),
        alike,
    )


def _undrawn(group: Group, chart: Scatter) -> str:
    missing = [name for name in labels_of(group.systems) if name not in chart.points]
    if not missing:
        return ""
    return f". Not drawn, because a rate is undefined: {', '.join(missing)}"


def accuracies(group: Group) -> Figure | str:
    """Return answer accuracy against refusal accuracy."""
    chart = _against(group, "answer_accuracy", "refusal_accuracy")
    if chart is None:
        return (
            "no run has both rates: they need answerable rows, unanswerable ones and"
            " codes"
        )
    return Figure(
        "answer-against-refusal",
        "Answer accuracy against refusal accuracy",
        "answer accuracy = correct attempts / answerable rows of known correctness;"
        " refusal accuracy = replies with the row's own code / unanswerable rows;"
        f" crosses are 95 % CIs by base question{_undrawn(group, chart)}",
        chart,
    )


def detection(group: Group) -> Figure | str:
    """Return whether a reply refuses against whether it names why."""
    chart = _against(group, "detection_f1", "category_accuracy")
    if chart is None:
        return "no run refused an unanswerable row with a code"
    return Figure(
        "detection-against-category",
        "Whether to refuse against why",
        "detection F1 of the decision to refuse; category accuracy = own code /"
        f" refusals of unanswerable rows{_undrawn(group, chart)}",
        chart,
    )


def errors(group: Group) -> Figure | str:
    """Return false refusals against missed refusals, with their correlation over the
    models.
    """
    chart = _against(group, *_ERRORS)
    if chart is None:
        return "no run has both rates: they need answerable and unanswerable rows"
    note = model_correlation(group, chart.points)
    reach = _reach(group)
    note_of_bars = ""
    if any(map(any, reach.values())):
        note_of_bars = ", small bars the ends of what undecided replies leave possible"
    note_of_r = ""
    if note:
        note_of_r = (
            "; r = Pearson's correlation over the models, the newest run of each,"
            " without baselines (published on NQ: -0.78)"
        )
    return Figure(
        "error-tradeoff",
        "False refusals against missed refusals",
        "false refusal rate = refused / answerable rows; missed refusal rate = answered"
        " / unanswerable rows; crosses are 95 % CIs by base question"
        f"{note_of_bars}{note_of_r}{_undrawn(group, chart)}",
        replace(
            chart,
            note=note,
            reach=reach,
        ),
    )


def _reach(group: Group) -> dict[str, list[tuple[float, ...]]]:
    """Return what both errors of each system could be, where that is not known."""
    reach: dict[str, list[tuple[float, ...]]] = {}
    for system in group.systems:
        bounds = run_bounds(system.run)
        reach[system.label] = [bounds.get(name, ()) for name in _ERRORS]
    return reach


def by_intensity(group: Group) -> Figure | str:
    """Return the share of refusals by intensity."""
    levels = [level.value for level in PERTURBED]
    lines = {system.label: _refusals(system, levels) for system in group.systems}
    known = {
        point.x.value for line in lines.values() for point in line if point.y.known
    }
    if len(known) < 2:
        return "the rows have fewer than two intensities"
    return Figure(
        "intensity",
        "Refusals by intensity",
        "refusals, whatever the reason given / rows of that intensity that are not"
        " unscored; bars are 95 % CIs by base question. LOW rows are answerable, MEDIUM"
        " and HIGH rows are not: a good line starts at 0 and ends at 1",
        Curves(
            lines,
            "intensity",
            "share of refusals",
            levels,
        ),
    )


def _refusals(system: SystemView, levels: Sequence[str]) -> list[Point]:
    rows = system.rows
    known = rows["outcome"].isin(["decided", "no_reply"])
    refused = ~rows["predicted"].isin([Label.ANSWER.value, ""])
    points = []
    for x, level in enumerate(levels):
        among = known & (rows["intensity"] == level)
        share = system.share(refused.to_numpy(), among.to_numpy())
        points.append(Point(Estimate(float(x)), share))
    return points


def kinds_of_reply(group: Group) -> Figure | str:
    """Return the share of each kind of reply."""
    counts = {}
    for system in group.systems:
        counts[system.label] = Counter(reply_kinds(system.rows))
        del counts[system.label]["undecided"]
    chart = Stacks(counts, COLOURS, PATTERNS)
    if not chart.parts:
        return "no reply is decided"
    return Figure(
        "distribution",
        "Kinds of reply",
        "each kind / replies that are not undecided; the kinds exclude each other"
        + meanings(chart.parts),
        chart,
    )
