"""How replies change with class and intensity."""

from refusalbench_tasks.report.charts import Curves, HeatMap, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.tally import RefusalGroup
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED


def refusals_by_intensity(group: RefusalGroup) -> Figure:
    """Return the share of refusals by intensity."""
    lines = {
        t.label: [Point(i, t.refusals(t.group("intensity") == level.value)) for i, level in enumerate(PERTURBED)]
        for t in group.tallies
    }
    chart = Curves(lines, "intensity", "share of refusals", ticks=[level.value for level in PERTURBED])
    return Figure(
        "intensity",
        "Refusals by intensity",
        "refusals with any code / decided rows of that intensity; bars are 95 % intervals by base question. LOW rows "
        "are answerable, MEDIUM and HIGH rows are not: a good line starts at 0 and ends at 1",
        chart,
    )


def accuracy_by_class(group: RefusalGroup) -> Figure:
    """Return the refusal accuracy by class."""
    codes = [one.value for one in CLASSES]
    rates = [t.by_group("class", codes, ("refusal_accuracy",))["refusal_accuracy"] for t in group.tallies]
    chart = HeatMap.of([t.label for t in group.tallies], [one.short for one in CLASSES], rates)
    return Figure(
        "classes",
        "Refusal accuracy by class",
        "replies with the row's own code / unanswerable rows of the class; the numbers have 95 % intervals by base "
        "question",
        chart,
    )
