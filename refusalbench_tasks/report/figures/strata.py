"""How replies change with class and intensity."""

from collections.abc import Sequence

from refusalbench_tasks.report.charts import Curves, HeatMap, Point
from refusalbench_tasks.report.figures.figure import Figure, Found
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED


def strata_figures(tallies: Sequence[Tally]) -> Found:
    """Return the share of refusals by intensity, and the refusal accuracy by class."""
    return [_intensities(tallies), _classes(tallies)]


def _intensities(tallies: Sequence[Tally]) -> Figure:
    lines = {
        t.label: [Point(i, t.refusals(t.group("intensity") == level.value)) for i, level in enumerate(PERTURBED)]
        for t in tallies
    }
    chart = Curves(lines, "intensity", "share of refusals", ticks=[level.value for level in PERTURBED])
    return Figure(
        "intensity",
        "Refusals by intensity",
        "refusals with any code / decided rows of that intensity; bars are 95 % intervals by base question. LOW rows "
        "are answerable, MEDIUM and HIGH rows are not: a good line starts at 0 and ends at 1",
        chart,
        "RefusalBench",
        (20,),
    )


def _classes(tallies: Sequence[Tally]) -> Figure:
    found = [[t.rate("refusal_accuracy", t.group("class") == one.value) for one in CLASSES] for t in tallies]
    chart = HeatMap(
        [t.label for t in tallies],
        [one.short for one in CLASSES],
        [[value.value for value in row] for row in found],
        [[value.n for value in row] for row in found],
    )
    return Figure(
        "classes",
        "Refusal accuracy by class",
        "replies with the row's own code / unanswerable rows of the class",
        chart,
        "RefusalBench",
        (21,),
    )
