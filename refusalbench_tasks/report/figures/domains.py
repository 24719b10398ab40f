"""How models do by domain."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.report.charts import Bars, HeatMap, HeatMaps, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.tally import DataRow, Tally, group_of, newest_of_each_model

_METRICS = ("answer_accuracy", "refusal_accuracy")
_NUMBERS = (11, 30, 31)


def domain_figures(tallies: Sequence[Tally], rows: Sequence[DataRow]) -> Found:
    """Return both accuracies by domain, the best model of each domain, and how hard the domains are."""
    domains = sorted({group_of(row.facts, "domain") for row in rows} - {""})
    if not domains:
        return [Absent("RefusalBench", _NUMBERS, "the rows name no domain; garage has five")]
    found = {
        metric: [[t.rate(metric, t.group("domain") == domain) for domain in domains] for t in tallies]
        for metric in _METRICS
    }
    labels = [t.label for t in tallies]
    ranking = _ranking(found, labels, domains)
    chosen = [t.label for t in newest_of_each_model(tallies)]
    if not chosen:
        return [ranking, Absent("RefusalBench", (30, 31), "there are only baselines")]
    models = {
        metric: [row for row, label in zip(own, labels, strict=True) if label in chosen]
        for metric, own in found.items()
    }
    names = [label for label in labels if label in chosen]
    return [ranking, _champions(models, names, domains), _difficulty(models, domains)]


Rates = dict[str, list[list[Value]]]


def _ranking(found: Rates, labels: list[str], domains: list[str]) -> Figure:
    maps = {
        metric.replace("_", " "): HeatMap(
            labels,
            domains,
            [[value.value for value in row] for row in rows],
            [[value.n for value in row] for row in rows],
        )
        for metric, rows in found.items()
    }
    formula = "by domain: correct attempts / answerable rows, and own code / unanswerable rows"
    return Figure("domains", "Accuracies by domain", formula, HeatMaps(maps), "RefusalBench", (11,))


def _champions(found: Rates, labels: list[str], domains: list[str]) -> Figure:
    series: dict[str, list[Value]] = {}
    names = list(domains)
    for metric, rows in found.items():
        best = [_best([row[i] for row in rows], labels) for i in range(len(domains))]
        series[metric.replace("_", " ")] = [value for _, value in best]
        short = "answers" if metric == "answer_accuracy" else "refusals"
        names = [f"{name}\n{short}: {who}" for name, (who, _) in zip(names, best, strict=True)]
    return Figure(
        "domain-champions",
        "The best model of each domain",
        "the highest answer accuracy and the highest refusal accuracy by domain; ties go to the first name; "
        "the newest run of each model, without baselines",
        Bars(names, series, "accuracy of the best model"),
        "RefusalBench",
        (30,),
    )


def _best(values: Sequence[Value], labels: Sequence[str]) -> tuple[str, Value]:
    known = [
        (value.value, label, value) for value, label in zip(values, labels, strict=True) if value.value == value.value
    ]
    if not known:
        return "undefined", Value(float("nan"))
    _, label, value = min(known, key=lambda one: (-one[0], one[1]))
    return label, value


def _difficulty(found: Rates, domains: list[str]) -> Figure:
    series = {}
    for metric, name in zip(_METRICS, ("answering", "refusing"), strict=True):
        columns = [[row[i].value for row in found[metric]] for i in range(len(domains))]
        series[name] = [Value(1 - _mean(column), n=sum(v == v for v in column)) for column in columns]
    pairs = zip(series["answering"], series["refusing"], strict=True)
    series["overall"] = [Value((a.value + b.value) / 2, n=min(a.n, b.n)) for a, b in pairs]
    return Figure(
        "domain-difficulty",
        "How hard the domains are",
        "1 - mean accuracy over the models, for answering and refusing; overall = their mean (no formula is "
        "printed; this is how we read it). n counts models",
        Bars(domains, series, "difficulty"),
        "RefusalBench",
        (31,),
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return float(np.mean(known)) if known else float("nan")
