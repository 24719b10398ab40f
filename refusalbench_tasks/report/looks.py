"""What the runs of a report look like, the same in every figure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from refusalbench_tasks.report.charts import Chart, HeatMaps
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.results.logs.run import AnyRun


def looks_of(runs: Mapping[str, AnyRun], models: Sequence[str]) -> dict[str, int]:
    """Return the number of each run's colour and marker: its model's; a model's further runs have numbers after all.

    `runs` are runs by their labels.
    """
    looks: dict[str, int] = {}
    for label, run in runs.items():
        number = models.index(run.model)
        taken = set(looks.values())
        looks[label] = number if number not in taken else max(len(models) - 1, *taken) + 1
    return looks


def coloured(figures: Iterable[Figure | Absent], looks: Mapping[str, int]) -> list[Figure | Absent]:
    """Return the figures with each run's colour and marker."""
    return [
        replace(figure, chart=_with(figure.chart, looks)) if isinstance(figure, Figure) else figure
        for figure in figures
    ]


def _with(chart: Chart, looks: Mapping[str, int]) -> Chart:
    if isinstance(chart, HeatMaps):
        return HeatMaps({name: replace(one, looks=looks) for name, one in chart.maps.items()})
    return replace(chart, looks=looks)
