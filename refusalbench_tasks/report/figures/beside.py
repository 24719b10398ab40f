"""The same models on one passage and on ten."""

from collections.abc import Sequence

from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ
from refusalbench_tasks.report.beside import COMPARED, DIFFERENCE, Beside
from refusalbench_tasks.report.charts import Bars
from refusalbench_tasks.report.figures.figure import Figure


def rates(models: Sequence[Beside]) -> Figure:
    """Return the rates of each model on both data sets, a panel for each metric."""
    sets = [(one, task) for one in models for task in (NQ.task, GARAGE.task)]
    series = {
        metric.replace("_", " "): [(one.nq if task == NQ.task else one.garage).main[metric] for one, task in sets]
        for metric in COMPARED
    }
    return Figure(
        "both",
        f"The same models on {NQ.task} and on {GARAGE.task}",
        "each rate over the rows of its data set, 95 % intervals by base question; the newest runs of a model with one "
        "protocol and one budget of thinking tokens; no baselines",
        Bars([f"{one.label} ({task})" for one, task in sets], series, "", apart=True),
    )


def differences(models: Sequence[Beside]) -> Figure:
    """Return what each rate gains from one passage to ten."""
    series = {metric.replace("_", " "): [one.difference(metric) for one in models] for metric in COMPARED}
    return Figure(
        "differences",
        f"What changes from {NQ.task} to {GARAGE.task}",
        f"{DIFFERENCE}; 95 % intervals from those of both rates (MOVER), as the base questions are other ones. "
        "The rows differ in more than their number of passages; n is the smaller of the two",
        Bars([one.label for one in models], series, "", apart=True, limits=(-1.0, 1.0)),
    )
