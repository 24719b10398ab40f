"""What the rows of a section are: coverage, generators, domains."""

from collections import Counter
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Bars, HeatMap, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.tally import DataRow, RefusalGroup
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED


def coverage(group: RefusalGroup) -> Figure:
    """Return how many rows there are of each class and intensity."""
    cells = Counter((row.facts.perturbation, row.facts.intensity) for row in group.rows)
    values = [[float(cells[one.value, level.value]) for level in PERTURBED] for one in CLASSES]
    chart = HeatMap([one.value for one in CLASSES], [level.value for level in PERTURBED], values, limits=None)
    formula = "number of perturbed rows that any run was given, each once"
    return Figure("coverage", "Coverage of the classes and intensities", formula, chart)


def generator_shares(group: RefusalGroup) -> Figure | Absent:
    """Return the share of rows of each generator."""
    return _shares(group.rows, "generator", "Contributions of the generators")


def domain_shares(group: RefusalGroup) -> Figure | Absent:
    """Return the share of rows of each domain."""
    return _shares(group.rows, "domain", "Distribution of the domains")


def _shares(rows: Sequence[DataRow], group: str, title: str) -> Figure | Absent:
    counts = Counter(row.facts.group(group) for row in rows)
    named = {name: count for name, count in counts.items() if name}
    if len(named) < 2:
        return Absent(f"the rows name fewer than two {group}s")
    names = sorted(named, key=lambda name: (-named[name], name)) + ([""] if counts[""] else [])
    values = [Value(counts[name] / len(rows), n=len(rows)) for name in names]
    chart = Bars([name or "(none named)" for name in names], {"share of rows": values}, "share of rows")
    return Figure(f"{group}-shares", title, f"rows of the {group} / all rows", chart)
