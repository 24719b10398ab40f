"""One kind of error against another."""

import math
from collections.abc import Sequence

from refusalbench_tasks.metrics.hedging import correlation
from refusalbench_tasks.report.charts import Bars, Mark, Scatter, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.tally import DataRow, Tally, newest_of_each_model, reference
from refusalbench_tasks.taxonomy import Label

_WHY = ": they need answerable and unanswerable rows that are decided"
_ALWAYS = {"always answers": Label.ANSWER, "always refuses": Label.MISSING}


def tradeoff_figures(tallies: Sequence[Tally], rows: Sequence[DataRow]) -> Found:
    """Return accuracy against refusal, detection against naming, and the two kinds of error."""
    return [_accuracies(tallies, rows), _detection(tallies, rows), _errors(tallies, rows), _error_rates(tallies)]


def _marks(tallies: Sequence[Tally], x: str, y: str, size: str = "") -> list[Mark]:
    return [
        Mark(t.label, t.main[x], t.main[y], t.main[size].value if size else float("nan"))
        for t in tallies
        if t.main[x].value == t.main[x].value and t.main[y].value == t.main[y].value
    ]


def _undrawn(tallies: Sequence[Tally], marks: Sequence[Mark]) -> str:
    """Return a sentence that names the runs without a point."""
    missing = sorted({t.label for t in tallies} - {mark.name for mark in marks})
    return f". Not drawn, because a rate is undefined: {', '.join(missing)}" if missing else ""


def _references(rows: Sequence[DataRow], x: str, y: str) -> list[Mark]:
    found = {name: reference(rows, label) for name, label in _ALWAYS.items()}
    marks = [Mark(name, values[x], values[y]) for name, values in found.items()]
    return [mark for mark in marks if mark.x.value == mark.x.value and mark.y.value == mark.y.value]


def _accuracies(tallies: Sequence[Tally], rows: Sequence[DataRow]) -> Figure | Absent:
    marks = _marks(tallies, "answer_accuracy", "refusal_accuracy")
    if not marks:
        return Absent("RefusalBench", (5,), f"no run has both rates{_WHY}")
    references = _references(rows, "answer_accuracy", "refusal_accuracy")
    return Figure(
        "answer-against-refusal",
        "Answer accuracy against refusal accuracy",
        "answer accuracy = correct attempts / answerable rows of known correctness; refusal accuracy = replies with "
        f"the row's own code / unanswerable rows; crosses are 95 % intervals by base question"
        f"{_undrawn(tallies, marks)}",
        Scatter(marks, "answer accuracy", "refusal accuracy", references),
        "RefusalBench",
        (5,),
    )


def _detection(tallies: Sequence[Tally], rows: Sequence[DataRow]) -> Figure | Absent:
    marks = _marks(tallies, "detection_f1", "category_accuracy", "refusal_rate")
    if not marks:
        return Absent("RefusalBench", (6, 18), "no run refused an unanswerable row")
    chart = Scatter(
        marks,
        "detection F1",
        "category accuracy",
        _references(rows, "detection_f1", "category_accuracy"),
        size_is="refusal rate",
    )
    return Figure(
        "detection-against-category",
        "Whether to refuse against why",
        "detection F1 of the decision to refuse; category accuracy = own code / refusals of unanswerable rows; the "
        f"larger the point, the larger the refusal rate{_undrawn(tallies, marks)}",
        chart,
        "RefusalBench",
        (6, 18),
    )


def _error_rates(tallies: Sequence[Tally]) -> Figure:
    names = ("false_refusal_rate", "missed_refusal_rate")
    chart = Bars(
        [t.label for t in tallies],
        {name.replace("_", " "): [t.main[name] for t in tallies] for name in names},
        "share of rows",
    )
    return Figure(
        "error-rates",
        "The two kinds of error",
        "false refusal rate = refused / answerable rows; missed refusal rate = answered / unanswerable rows",
        chart,
        "RefusalBench",
        (22,),
    )


def _errors(tallies: Sequence[Tally], rows: Sequence[DataRow]) -> Figure | Absent:
    marks = _marks(tallies, "false_refusal_rate", "missed_refusal_rate")
    if not marks:
        return Absent("RefusalBench", (22,), f"no run has both rates{_WHY}")
    distinct = {tally.label for tally in newest_of_each_model(tallies)}
    models = [mark for mark in marks if mark.name in distinct]
    chart = Scatter(
        marks,
        "false refusal rate",
        "missed refusal rate",
        _references(rows, "false_refusal_rate", "missed_refusal_rate"),
        note=correlation_note([m.x for m in models], [m.y for m in models]),
    )
    return Figure(
        "error-tradeoff",
        "False refusals against missed refusals",
        "false refusal rate = refused / answerable rows; missed refusal rate = answered / unanswerable rows; "
        "r = Pearson's correlation over the models, the newest run of each, without baselines "
        "(published for nine models on NQ: -0.78)"
        f"{_undrawn(tallies, marks)}",
        chart,
        "RefusalBench",
        (22,),
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
