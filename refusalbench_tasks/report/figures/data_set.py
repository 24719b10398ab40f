"""What the rows of a section are: coverage, generators, domains."""

from operator import attrgetter

from refusalbench_tasks.metrics.alike_rows import AlikeRows
from refusalbench_tasks.report.charts import Bars, HeatMap, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.tally import DataRow, RefusalGroup
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_FEW = "the rows name fewer than two {}s"
_NONE = "(none named)"


def coverage(group: RefusalGroup) -> Figure:
    """Return how many rows there are of each class and intensity."""
    cells = group.rows.counted(attrgetter("facts.perturbation", "facts.intensity"))
    values = [[float(cells[one.value, level.value]) for level in PERTURBED] for one in CLASSES]
    chart = HeatMap([one.value for one in CLASSES], [level.value for level in PERTURBED], values, limits=None)
    formula = "number of perturbed rows that any run was given, each once"
    return Figure("coverage", "Coverage of the classes and intensities", formula, chart)


def generator_shares(group: RefusalGroup) -> Figure | Absent:
    """Return the share of rows of each generator."""
    return _shares(group.rows, "generator", "Contributions of the generators")


def generators_by_class(group: RefusalGroup) -> Figure | Absent:
    """Return the share of the rows of each class that each generator contributed."""
    named = _named(group.rows, "generator")
    if not named:
        return Absent(_FEW.format("generator"))
    cells = group.rows.counted(attrgetter("facts.perturbation", "facts.generator"))
    totals = group.rows.counted(attrgetter("facts.perturbation"))
    classes = [one for one in CLASSES if totals[one.value]]
    chart = HeatMap(
        [one.value for one in classes],
        [name or _NONE for name in named],
        [[cells[one.value, name] / totals[one.value] for name in named] for one in classes],
        [[totals[one.value]] * len(named) for one in classes],
        column_axis="generator",
    )
    formula = "rows of the class and the generator / rows of the class; n is the rows of the class"
    return Figure("generator-shares-by-class", "Contributions of the generators by class", formula, chart)


def domain_shares(group: RefusalGroup) -> Figure | Absent:
    """Return the share of rows of each domain."""
    return _shares(group.rows, "domain", "Distribution of the domains")


def _shares(rows: AlikeRows[DataRow], group: str, title: str) -> Figure | Absent:
    named = _named(rows, group)
    if not named:
        return Absent(_FEW.format(group))
    values = [Value(count / len(rows), n=len(rows)) for count in named.values()]
    chart = Bars([name or _NONE for name in named], {"share of rows": values}, "share of rows")
    return Figure(f"{group}-shares", title, f"rows of the {group} / all rows", chart)


def _named(rows: AlikeRows[DataRow], group: str) -> dict[str, int]:
    """Return the number of rows by what they name, the most first, and rows that name nothing last as ''.

    Empty with fewer than two names.
    """
    counts = rows.counted(lambda row: row.facts.group(group))
    nameless = counts.pop("", 0)
    if len(counts) < 2:
        return {}
    ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return ordered | ({"": nameless} if nameless else {})
