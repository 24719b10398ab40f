"""What the rows of a section are: coverage, generators, domains."""

from collections import Counter
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Bars, HeatMap, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED


def data_set_figures(tallies: Sequence[Tally]) -> Found:
    """Return the figures about the rows of a section, taken from its first run (all have the same rows)."""
    first = tallies[0]
    return [
        _coverage(first),
        _shares(first, "generator", 12, "Contributions of the generators", "rows by generator / rows"),
        _shares(first, "domain", 13, "Distribution of the domains", "rows by domain / rows"),
    ]


def _coverage(tally: Tally) -> Figure:
    cells = Counter(zip(tally.group("class").tolist(), tally.group("intensity").tolist(), strict=True))
    values = [[float(cells[one.value, level.value]) for level in PERTURBED] for one in CLASSES]
    chart = HeatMap([one.value for one in CLASSES], [level.value for level in PERTURBED], values, limits=None)
    return Figure(
        "coverage",
        "Coverage of the classes and intensities",
        "number of rows, each epoch counted",
        chart,
        "RefusalBench",
        (2,),
    )


def _shares(tally: Tally, group: str, number: int, title: str, formula: str) -> Figure | Absent:
    counts = Counter(name for name in tally.group(group).tolist() if name)
    if len(counts) < 2:
        return Absent("RefusalBench", (number,), f"the rows name fewer than two {group}s")
    n = sum(counts.values())
    names = [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    chart = Bars(names, {"share of rows": [Value(counts[name] / n, n=counts[name]) for name in names]}, "share of rows")
    return Figure(f"{group}-shares", title, formula, chart, "RefusalBench", (number,))
