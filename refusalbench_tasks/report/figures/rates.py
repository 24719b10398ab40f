"""How often systems refuse, and how often rightly: trade-offs, rankings, kinds of
reply.
"""

import math
from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.refusal_counts import WIDTH, count_vectors
from refusalbench_tasks.metrics.refusal_metrics import RATES, rates, sizes
from refusalbench_tasks.report.charts import Curves, Dots, Grid, Point, Scatter, Stacks
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.reply_kinds import COLOURS, reply_kinds
from refusalbench_tasks.results.treatments import treated_pairs
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label

NO_CODES = "no codes were asked for (codes=false), so that refusals have no category"
_ALWAYS = {"always answers": Label.ANSWER, "always refuses": Label.MISSING}
_SIX = (
    "answer_accuracy",
    "refusal_accuracy",
    "calibrated_refusal_score",
    "false_refusal_rate",
    "missed_refusal_rate",
    "correct_refusal_rate",
)


def reference(group: Group, label: Label) -> dict[str, Estimate]:
    """Return the metrics of a model that gives every row the same label, unknown where
    its answers would matter.
    """
    rows = group.rows
    right = np.where(
        rows["expected"] == label.value, NAN if label is Label.ANSWER else 1.0, 0.0
    )
    same = rows.assign(
        predicted=label.value, outcome="decided", right=right, codes=True
    )
    totals = count_vectors(same).sum(axis=0) if len(same) else np.zeros(WIDTH)
    found = zip(RATES, rates(totals).tolist(), sizes(totals).tolist(), strict=True)
    return {name: Estimate(value, n=n) for name, value, n in found}


def _against(group: Group, x: str, y: str) -> Scatter | None:
    """Return systems as points of two rates, with models that treat all rows alike;
    None if no system has both.
    """
    points = {one.label: Point(one.number(x), one.number(y)) for one in group.systems}
    known = {
        name: point for name, point in points.items() if point.x.known and point.y.known
    }
    references = {}
    for name, label in _ALWAYS.items():
        values = reference(group, label)
        if values[x].known and values[y].known:
            references[name] = Point(values[x], values[y])
    return Scatter(known, label_of(x), label_of(y), references) if known else None


def _undrawn(group: Group, chart: Scatter) -> str:
    missing = [one.label for one in group.systems if one.label not in chart.points]
    return (
        f". Not drawn, because a rate is undefined: {', '.join(missing)}"
        if missing
        else ""
    )


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
    chart = _against(group, "false_refusal_rate", "missed_refusal_rate")
    if chart is None:
        return "no run has both rates: they need answerable and unanswerable rows"
    models = [
        chart.points[one.label] for one in group.models if one.label in chart.points
    ]
    note = correlation_note(
        [one.x.value for one in models], [one.y.value for one in models]
    )
    labels = {
        id(one.run): one.label for one in group.systems if one.label in chart.points
    }
    pairs = treated_pairs([one.run for one in group.systems])
    arrows = [
        (labels[id(a)], labels[id(b)])
        for a, b in pairs
        if id(a) in labels and id(b) in labels
    ]
    arrow_note = ""
    if arrows:
        arrow_note = "; an arrow leads from the plain prompt to a treatment"
    return Figure(
        "error-tradeoff",
        "False refusals against missed refusals",
        "false refusal rate = refused / answerable rows; missed refusal rate = answered"
        " / unanswerable rows; r = "
        "Pearson's correlation over the models, the newest run of each, without"
        " baselines (published on NQ: -0.78)"
        f"{arrow_note}{_undrawn(group, chart)}",
        Scatter(
            chart.points,
            chart.x_axis,
            chart.y_axis,
            chart.references,
            note=note,
            arrows=arrows,
        ),
    )


def correlation_note(x: Sequence[float], y: Sequence[float]) -> str:
    """Return Pearson's r with its n and, from four models on, its 95 % CI by Fisher's
    z; or why there is none.
    """
    if len(x) < 3:
        return "r needs three models or more"
    if len(set(x)) < 2 or len(set(y)) < 2:
        return "r is undefined: no spread"
    r = float(np.corrcoef(x, y)[0, 1])
    n = len(x)
    interval = ""
    if n > 3 and abs(r) < 1:
        half = 1.96 / math.sqrt(n - 3)
        interval = (
            f" [{math.tanh(math.atanh(r) - half):.2f},"
            f" {math.tanh(math.atanh(r) + half):.2f}]"
        )
    return f"r = {r:.2f}{interval} over {n} models"


def dashboard(group: Group) -> Figure:
    """Return six metrics side by side, the best run first; those of codes only where
    some run was asked for them.
    """
    order = _best_first(group.systems)
    coded = any(one.codes for one in order)
    series = {
        label_of(k): [one.number(k) for one in order]
        for k in _SIX
        if coded or not RATES[k].coded
    }
    return Figure(
        "dashboard",
        "Main metrics of each system",
        "answer accuracy = correct attempts / answerable rows; refusal accuracy = own"
        " code / unanswerable rows; calibrated refusal score = their mean; false"
        " refusal rate = refused / answerable; missed refusal rate = answered /"
        " unanswerable; correct refusal rate = refused, whatever the reason given /"
        " unanswerable; 95 % CIs by base question",
        Dots([one.label for one in order], series),
    )


def _best_first(systems: Sequence[SystemView]) -> list[SystemView]:
    def place(system: SystemView) -> tuple[float, str]:
        best = system.number("refusal_accuracy" if system.codes else "detection_f1")
        return -best.value if best.known else math.inf, system.label

    return sorted(systems, key=place)


def by_intensity(group: Group) -> Figure | str:
    """Return the share of refusals by intensity."""
    levels = [level.value for level in PERTURBED]
    lines = {one.label: _refusals(one, levels) for one in group.systems}
    if (
        sum(any(line[k].y.known for line in lines.values()) for k in range(len(levels)))
        < 2
    ):
        return "the rows have fewer than two intensities"
    return Figure(
        "intensity",
        "Refusals by intensity",
        "refusals, whatever the reason given / rows of that intensity that are not"
        " unscored; bars are 95 % CIs by base question. LOW rows are answerable, MEDIUM"
        " and HIGH rows are not: a good line starts at 0 and ends at 1",
        Curves(lines, "intensity", "share of refusals", levels),
    )


def _refusals(system: SystemView, levels: Sequence[str]) -> list[Point]:
    rows = system.rows
    known = rows["outcome"].isin(["decided", "no_reply"]).to_numpy()
    refused = (
        (rows["predicted"] != Label.ANSWER.value) & (rows["predicted"] != "")
    ).to_numpy()
    of_level = [(rows["intensity"] == level).to_numpy() for level in levels]
    return [
        Point(Estimate(float(k)), system.share(refused, known & mask))
        for k, mask in enumerate(of_level)
    ]


def by_class(group: Group) -> Figure | str:
    """Return the refusal accuracy by class."""
    coded = [one for one in group.systems if one.codes]
    if not coded:
        return NO_CODES
    codes = [one.value for one in CLASSES]
    names = [one.short for one in CLASSES]
    cells = {
        (one.label, name): value
        for one in coded
        for name, value in zip(
            names, one.by_group("class", codes, "refusal_accuracy"), strict=True
        )
    }
    return Figure(
        "classes",
        "Refusal accuracy by class",
        "replies with the row's own code / unanswerable rows of the class",
        Grid({"": cells}, [one.label for one in coded], names),
    )


def by_domain(group: Group) -> Figure | str:
    """Return both accuracies of each run by domain."""
    names = sorted(set(group.rows["domain"]) - {""})
    if not names:
        return "the rows name no domain; garage has five"
    metrics = [
        name
        for name in _SIX[:2]
        if not RATES[name].coded or any(one.codes for one in group.systems)
    ]
    panels = {
        label_of(metric): {
            (one.label, name): value
            for one in group.systems
            for name, value in zip(
                names, one.by_group("domain", names, metric), strict=True
            )
        }
        for metric in metrics
    }
    formula = (
        "by domain: correct attempts / answerable rows, and own code / unanswerable"
        " rows"
    )
    return Figure(
        "domains",
        "Accuracies by domain",
        formula,
        Grid(panels, [one.label for one in group.systems], names),
    )


def kinds_of_reply(group: Group) -> Figure | str:
    """Return the share of each kind of reply."""
    counts = [
        dict(zip(*np.unique(reply_kinds(one.rows), return_counts=True), strict=True))
        for one in group.systems
    ]
    names = [name for name in COLOURS if any(name in count for count in counts)]
    totals = [float(sum(count.get(name, 0) for name in names)) for count in counts]
    if not names:
        return "no reply is decided"
    parts = {
        name: [
            count.get(name, 0) / n if n else NAN
            for count, n in zip(counts, totals, strict=True)
        ]
        for name in names
    }
    return Figure(
        "distribution",
        "Kinds of reply",
        "each kind / replies that are not unscored; the kinds exclude each other; `no"
        " reply` is an empty reply, one that was cut off, or one that the provider"
        " stopped",
        Stacks([one.label for one in group.systems], parts, totals, COLOURS),
    )
