"""What the rows of a section are: coverage, generators, domains."""

from collections import Counter
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Bars, HeatMap, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.tally import DataRow, group_of
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED


def data_set_figures(rows: Sequence[DataRow]) -> Found:
    """Return the figures about the rows of a section."""
    return [
        _coverage(rows),
        _shares(rows, "generator", 12, "Contributions of the generators"),
        _shares(rows, "domain", 13, "Distribution of the domains"),
    ]


def _coverage(rows: Sequence[DataRow]) -> Figure:
    cells = Counter((group_of(row.facts, "class"), group_of(row.facts, "intensity")) for row in rows)
    values = [[float(cells[one.value, level.value]) for level in PERTURBED] for one in CLASSES]
    chart = HeatMap([one.value for one in CLASSES], [level.value for level in PERTURBED], values, limits=None)
    formula = "number of perturbed rows that any run was given, each once"
    return Figure("coverage", "Coverage of the classes and intensities", formula, chart, "RefusalBench", (2,))


def _shares(rows: Sequence[DataRow], group: str, number: int, title: str) -> Figure | Absent:
    counts = Counter(group_of(row.facts, group) for row in rows)
    named = {name: count for name, count in counts.items() if name}
    if len(named) < 2:
        return Absent("RefusalBench", (number,), f"the rows name fewer than two {group}s")
    names = sorted(named, key=lambda name: (-named[name], name)) + ([""] if counts[""] else [])
    values = [Value(counts[name] / len(rows), n=len(rows)) for name in names]
    chart = Bars([name or "(none named)" for name in names], {"share of rows": values}, "share of rows")
    return Figure(f"{group}-shares", title, f"rows of the {group} / all rows", chart, "RefusalBench", (number,))
