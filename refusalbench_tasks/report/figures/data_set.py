"""What the rows of a section are, and how systems do by what the rows tell of themselves."""

import numpy as np

from refusalbench_tasks.report.cells import spoken
from refusalbench_tasks.report.charts import Dots, Grid
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.system import Group
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_ACCURACIES = ("answer_accuracy", "refusal_accuracy")
_NO_DOMAINS = "the rows name no domain; garage has five"


def coverage(group: Group) -> Figure | str:
    """Return how many rows there are of each class and intensity."""
    rows = group.rows
    counts = rows.groupby(["class", "intensity"]).size()
    cells = {
        (one.value, level.value): Estimate(float(counts.get((one.value, level.value), 0)))
        for one in CLASSES
        for level in PERTURBED
    }
    if not any(one.value for one in cells.values()):
        return "the rows name no class and intensity of the paper"
    chart = Grid({"": cells}, [one.value for one in CLASSES], [level.value for level in PERTURBED], limits=None)
    formula = "number of perturbed rows that any run was given, each once"
    return Figure("coverage", "Coverage of the classes and intensities", formula, chart)


def generator_shares(group: Group) -> Figure | str:
    """Return the share of rows of each generator."""
    return _shares(group, "generator", "Contributions of the generators")


def domain_shares(group: Group) -> Figure | str:
    """Return the share of rows of each domain."""
    return _shares(group, "domain", "Distribution of the domains")


def _shares(group: Group, column: str, title: str) -> Figure | str:
    counts = group.rows[column].replace("", "(none named)").value_counts()
    if len(counts) - ("(none named)" in counts.index) < 2:
        return f"the rows name fewer than two {column}s"
    values = [Estimate(n / len(group.rows), n=len(group.rows)) for n in counts]
    chart = Dots(list(counts.index), {"share of rows": values})
    return Figure(f"{column}-shares", title, f"rows of the {column} / all rows", chart)


def domains(group: Group) -> Figure | str:
    """Return both accuracies of each run by domain."""
    names = _domains(group)
    if not names:
        return _NO_DOMAINS
    panels = {
        spoken(metric): {
            (one.label, name): value
            for one in group.systems
            for name, value in zip(names, one.by_group("domain", names, metric), strict=True)
        }
        for metric in _metrics(group)
    }
    chart = Grid(panels, [one.label for one in group.systems], names)
    formula = "by domain: correct attempts / answerable rows, and own code / unanswerable rows"
    return Figure("domains", "Accuracies by domain", formula, chart)


def _metrics(group: Group) -> tuple[str, ...]:
    return _ACCURACIES if any(one.codes for one in group.systems) else _ACCURACIES[:1]


def _domains(group: Group) -> list[str]:
    return sorted(set(group.rows["domain"]) - {""})


def difficulty(group: Group) -> Figure | str:
    """Return how hard each domain is to answer and to refuse."""
    names, models = _domains(group), group.models
    if not names or not models:
        return "there are only baselines" if names else _NO_DOMAINS
    series = {}
    for metric, what in zip(_metrics(group), ("answering", "refusing"), strict=False):
        rates = [one.by_group("domain", names, metric) for one in models]
        columns = [[of[k].value for of in rates if of[k].known] for k in range(len(names))]
        series[what] = [Estimate(1 - float(np.mean(one)) if one else NAN, n=len(one)) for one in columns]
    if len(series) == 2:
        pairs = zip(*series.values(), strict=True)
        series["overall"] = [Estimate((a.value + b.value) / 2, n=min(a.n, b.n)) for a, b in pairs]
    formula = (
        "1 - mean accuracy over the models, for answering and refusing; overall = their mean (no formula is printed; "
        "this is how we read it). n counts models"
    )
    return Figure("domain-difficulty", "How hard the domains are", formula, Dots(names, series))
