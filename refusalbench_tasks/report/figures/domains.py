"""How models do by domain."""

import math
from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.report.charts import Bars, HeatMap, HeatMaps, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.tally import RefusalGroup, Tally

_METRICS = ("answer_accuracy", "refusal_accuracy")
_NONE = Absent("the rows name no domain; garage has five")
_BASELINES = Absent("there are only baselines")

Rates = dict[str, list[list[Value]]]
"""By metric one row per run, with a value per domain."""


def _domains(group: RefusalGroup) -> list[str]:
    return sorted({row.facts.domain for row, _ in group.rows.present} - {""})


def _rates(tallies: Sequence[Tally], domains: Sequence[str]) -> Rates:
    of_each = [tally.by_group("domain", domains, _METRICS) for tally in tallies]
    return {metric: [found[metric] for found in of_each] for metric in _METRICS}


def accuracies(group: RefusalGroup) -> Figure | Absent:
    """Return both accuracies of each run by domain."""
    domains = _domains(group)
    if not domains:
        return _NONE
    labels = [tally.label for tally in group.tallies]
    maps = {
        metric.replace("_", " "): HeatMap.of(labels, domains, rows)
        for metric, rows in _rates(group.tallies, domains).items()
    }
    formula = (
        "by domain: correct attempts / answerable rows, and own code / unanswerable rows; the numbers have 95 % "
        "intervals by base question"
    )
    return Figure("domains", "Accuracies by domain", formula, HeatMaps(maps))


def champions(group: RefusalGroup) -> Figure | Absent:
    """Return the best model of each domain, in either accuracy."""
    domains = _domains(group)
    if not (domains and group.models):
        return _BASELINES if domains else _NONE
    labels = [tally.label for tally in group.models]
    series: dict[str, list[Value]] = {}
    names = list(domains)
    for metric, rows in _rates(group.models, domains).items():
        best = [_best([row[i] for row in rows], labels) for i in range(len(domains))]
        series[metric.replace("_", " ")] = [value for _, value in best]
        short = "answers" if metric == "answer_accuracy" else "refusals"
        names = [f"{name}\n{short}: {who}" for name, (who, _) in zip(names, best, strict=True)]
    return Figure(
        "domain-champions",
        "The best model of each domain",
        "the highest answer accuracy and the highest refusal accuracy by domain; ties go to the first name; "
        "the newest run of each model, without baselines. Intervals by base question are those of the chosen "
        "model: the best of several is flattered by chance",
        Bars(names, series, "accuracy of the best model"),
    )


def _best(values: Sequence[Value], labels: Sequence[str]) -> tuple[str, Value]:
    known = [(value.value, label, value) for value, label in zip(values, labels, strict=True) if value.known]
    if not known:
        return "undefined", Value(float("nan"))
    _, label, value = min(known, key=lambda one: (-one[0], one[1]))
    return label, value


def difficulty(group: RefusalGroup) -> Figure | Absent:
    """Return how hard each domain is to answer and to refuse."""
    domains = _domains(group)
    if not (domains and group.models):
        return _BASELINES if domains else _NONE
    rates, series = _rates(group.models, domains), {}
    for metric, name in zip(_METRICS, ("answering", "refusing"), strict=True):
        columns = [[row[i].value for row in rates[metric]] for i in range(len(domains))]
        series[name] = [Value(1 - _mean(column), n=sum(not math.isnan(v) for v in column)) for column in columns]
    pairs = zip(series["answering"], series["refusing"], strict=True)
    series["overall"] = [Value((a.value + b.value) / 2, n=min(a.n, b.n)) for a, b in pairs]
    return Figure(
        "domain-difficulty",
        "How hard the domains are",
        "1 - mean accuracy over the models, for answering and refusing; overall = their mean (no formula is "
        "printed; this is how we read it). n counts models",
        Bars(domains, series, "difficulty"),
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
