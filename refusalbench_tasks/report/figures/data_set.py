"""What the rows of a section are, and how systems do by what the rows tell of themselves."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from refusalbench_tasks.metrics.refusal import RATES
from refusalbench_tasks.report.cells import spoken
from refusalbench_tasks.report.charts import Curves, Dots, Grid, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.system import BY_PART, Group, System
from refusalbench_tasks.stats.cluster import Mask
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_ACCURACIES = ("answer_accuracy", "refusal_accuracy")
_NO_DOMAINS = "the rows name no domain; garage has five"
_MOST_BINS, _MOST_WORDS = 4, 12
Knob = Sequence[tuple[str, float | str, float | str]]
"""The groups of a knob, each with its name, its least value and its largest."""


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


def generators_by_class(group: Group) -> Figure | str:
    """Return the share of the rows of each class that each generator contributed."""
    rows = group.rows.assign(generator=group.rows["generator"].replace("", "(none named)"))
    names = sorted(set(rows["generator"]))
    if len(names) < 2:
        return "the rows name fewer than two generators"
    counts, totals = rows.groupby(["class", "generator"]).size(), rows["class"].value_counts()
    classes = [one.value for one in CLASSES if totals.get(one.value)]
    cells = {(c, g): Estimate(counts.get((c, g), 0) / totals[c], n=totals[c]) for c in classes for g in names}
    formula = "rows of the class and the generator / rows of the class"
    title = "Contributions of the generators by class"
    return Figure("generator-shares-by-class", title, formula, Grid({"": cells}, classes, names))


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


def champions(group: Group) -> Figure | str:
    """Return the best model of each domain."""
    names, models = _domains(group), group.models
    if not names or len(models) < 2:
        return "needs two models or more" if names else _NO_DOMAINS
    series: dict[str, list[Estimate]] = {}
    rows: list[str] = []
    for metric in _metrics(group):
        rates = [one.by_group("domain", names, metric) for one in models]
        for k, name in enumerate(names):
            known = [(-of[k].value, one.label, of[k]) for one, of in zip(models, rates, strict=True) if of[k].known]
            if known:
                _, label, value = min(known, key=lambda one: one[:2])
                rows.append(f"{name}: {label}")
                series.setdefault(spoken(metric), []).append(value)
    return Figure(
        "domain-champions",
        "The best model of each domain",
        "the highest answer accuracy and the highest refusal accuracy by domain; the newest run of each model, without "
        "baselines. CIs by base question are those of the chosen model: the best of several is flattered by chance",
        _stacked(rows, series),
    )


def _stacked(rows: Sequence[str], series: Mapping[str, Sequence[Estimate]]) -> Dots:
    """Return series of different names as panels over all names, blank where a name is another's."""
    filled, start = {}, 0
    for name, values in series.items():
        filled[name] = [Estimate()] * start + list(values) + [Estimate()] * (len(rows) - start - len(values))
        start += len(values)
    return Dots(rows, filled)


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


def rates_by_knob(group: Group) -> Figure | str:
    """Return five rates by each knob of the rows, a panel for each knob and rate."""
    knobs = knob_groups(list(group.rows["knobs"]))
    if not knobs:
        return "no row tells how hard it is (knobs, which rows of data=worlds have), or all are as hard as each other"
    rates = [name for name in BY_PART if any(one.codes for one in group.systems) or not RATES[name].coded]
    panels: dict[str, dict[str, list[Point]]] = {f"{knob}: {spoken(rate)}": {} for knob in knobs for rate in rates}
    for knob, groups in knobs.items():
        for one in group.systems:
            values = [one.of(_inside(one, knob, low, high)) for _, low, high in groups]
            for rate in rates:
                points = [Point(Estimate(float(k)), of[rate]) for k, of in enumerate(values) if rate in of]
                panels[f"{knob}: {spoken(rate)}"][one.label] = points
    ticks = {title: [name for name, *_ in knobs[title.partition(":")[0]]] for title in panels}
    return Figure(
        "difficulty",
        "Rates by difficulty",
        "answer accuracy and false refusal rate over the answerable rows of a group, refusal accuracy and missed "
        "refusal rate over its unanswerable ones, category accuracy over the refusals among these; numbers are cut at "
        "the quartiles of all rows, and a group is named by its least and largest number; bars are 95 % CIs by base "
        "question, which is a quad in data=worlds. Groups may differ in more than this knob",
        Curves(panels, "group", ticks=ticks),
    )


def _inside(system: System, knob: str, low: float | str, high: float | str) -> Mask:
    values = [one.get(knob) for one in system.rows["knobs"]]
    text = isinstance(low, str)
    return np.array([v is not None and isinstance(v, str) == text and low <= v <= high for v in values], dtype=bool)


def knob_groups(rows: Sequence[Mapping[str, float | str]]) -> dict[str, Knob]:
    """Return the groups of each knob that differs between rows, in their order.

    Numbers are cut at their quartiles, and equal numbers stay together; up to four different numbers are a group each.
    Words are a group each, in alphabetical order. A knob with more than twelve words, or with both words and numbers,
    has no groups and is left out.
    """
    found: dict[str, Knob] = {}
    for name in sorted({name for row in rows for name in row}):
        values = [row[name] for row in rows if name in row]
        words = sorted({one for one in values if isinstance(one, str)})
        numbers = [float(one) for one in values if not isinstance(one, str) and math.isfinite(one)]
        groups = [(one, one, one) for one in words] if words else _of_numbers(numbers)
        if not (words and numbers) and 1 < len(groups) <= _MOST_WORDS:
            found[name] = groups
    return found


def _of_numbers(numbers: Sequence[float]) -> list[tuple[str, float, float]]:
    different = sorted(set(numbers))
    if len(different) > _MOST_BINS:
        cuts = np.quantile(numbers, np.arange(_MOST_BINS) / _MOST_BINS, method="inverted_cdf")
        starts = sorted(set(cuts.tolist()))
    else:
        starts = different
    groups = [[x for x in different if low <= x < high] for low, high in pairwise([*starts, math.inf])]
    return [(_named(group), group[0], group[-1]) for group in groups]


def _named(group: Sequence[float]) -> str:
    ends = [f"{one:,.6g}" for one in dict.fromkeys((group[0], group[-1]))]
    return " to ".join(ends)
