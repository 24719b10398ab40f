"""One kind of error against another."""

import math
from collections.abc import Sequence

from refusalbench_tasks.metrics.alike_rows import AlikeRows
from refusalbench_tasks.metrics.hedging import correlation
from refusalbench_tasks.report.charts import Bars, Mark, Scatter, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.tally import DataRow, RefusalGroup, Tally, reference
from refusalbench_tasks.taxonomy import Label

_WHY = ": they need answerable and unanswerable rows that are decided"
_ALWAYS = {"always answers": Label.ANSWER, "always refuses": Label.MISSING}


def _marks(tallies: Sequence[Tally], x: str, y: str, size: str = "") -> list[Mark]:
    return [
        Mark(t.label, t.main[x], t.main[y], t.main[size].value if size else float("nan"))
        for t in tallies
        if t.main[x].known and t.main[y].known
    ]


def _undrawn(tallies: Sequence[Tally], marks: Sequence[Mark]) -> str:
    """Return a sentence that names the runs without a point."""
    missing = sorted({t.label for t in tallies} - {mark.name for mark in marks})
    return f". Not drawn, because a rate is undefined: {', '.join(missing)}" if missing else ""


def _references(rows: AlikeRows[DataRow], x: str, y: str) -> list[Mark]:
    marks = []
    for name, label in _ALWAYS.items():
        values = reference(rows, label)
        marks.append(Mark(name, values[x], values[y]))
    return [mark for mark in marks if mark.x.known and mark.y.known]


def accuracies(group: RefusalGroup) -> Figure | Absent:
    """Return answer accuracy against refusal accuracy."""
    marks = _marks(group.tallies, "answer_accuracy", "refusal_accuracy")
    if not marks:
        return Absent(f"no run has both rates{_WHY}")
    references = _references(group.rows, "answer_accuracy", "refusal_accuracy")
    return Figure(
        "answer-against-refusal",
        "Answer accuracy against refusal accuracy",
        "answer accuracy = correct attempts / answerable rows of known correctness; refusal accuracy = replies with "
        f"the row's own code / unanswerable rows; crosses are 95 % intervals by base question"
        f"{_undrawn(group.tallies, marks)}",
        Scatter(marks, "answer accuracy", "refusal accuracy", references),
    )


def detection(group: RefusalGroup) -> Figure | Absent:
    """Return whether a reply refuses against whether it names why."""
    marks = _marks(group.tallies, "detection_f1", "category_accuracy", "refusal_rate")
    if not marks:
        return Absent("no run refused an unanswerable row")
    chart = Scatter(
        marks,
        "detection F1",
        "category accuracy",
        _references(group.rows, "detection_f1", "category_accuracy"),
        size_is="refusal rate",
    )
    return Figure(
        "detection-against-category",
        "Whether to refuse against why",
        "detection F1 of the decision to refuse; category accuracy = own code / refusals of unanswerable rows; the "
        f"larger the point, the larger the refusal rate{_undrawn(group.tallies, marks)}",
        chart,
    )


def error_rates(group: RefusalGroup) -> Figure:
    """Return both kinds of error, side by side."""
    names = ("false_refusal_rate", "missed_refusal_rate")
    chart = Bars(
        [t.label for t in group.tallies],
        {name.replace("_", " "): [t.main[name] for t in group.tallies] for name in names},
        "share of rows",
    )
    return Figure(
        "error-rates",
        "The two kinds of error",
        "false refusal rate = refused / answerable rows; missed refusal rate = answered / unanswerable rows",
        chart,
    )


def errors(group: RefusalGroup) -> Figure | Absent:
    """Return false refusals against missed refusals, with their correlation over the models."""
    marks = _marks(group.tallies, "false_refusal_rate", "missed_refusal_rate")
    if not marks:
        return Absent(f"no run has both rates{_WHY}")
    distinct = {tally.label for tally in group.models}
    models = [mark for mark in marks if mark.name in distinct]
    chart = Scatter(
        marks,
        "false refusal rate",
        "missed refusal rate",
        _references(group.rows, "false_refusal_rate", "missed_refusal_rate"),
        note=correlation_note([m.x for m in models], [m.y for m in models]),
    )
    return Figure(
        "error-tradeoff",
        "False refusals against missed refusals",
        "false refusal rate = refused / answerable rows; missed refusal rate = answered / unanswerable rows; "
        "r = Pearson's correlation over the models, the newest run of each, without baselines "
        "(published on NQ: -0.78)"
        f"{_undrawn(group.tallies, marks)}",
        chart,
    )


def correlation_note(x: Sequence[Value], y: Sequence[Value]) -> str:
    """Return Pearson's r over the models with its n and, from four models on, its 95 % interval by Fisher's z.

    Or why there is none.
    """
    first, second = [v.value for v in x], [v.value for v in y]
    if len(first) < 3:
        return "r needs three models or more"
    if len(set(first)) < 2 or len(set(second)) < 2:
        return "r is undefined: no spread"
    r, n = correlation(first, second), len(first)
    interval = ""
    if n > 3 and abs(r) < 1:
        half = 1.96 / math.sqrt(n - 3)
        interval = f" [{math.tanh(math.atanh(r) - half):.2f}, {math.tanh(math.atanh(r) + half):.2f}]"
    return f"r = {r:.2f}{interval} over {n} models"
