"""What the runs of a report are called and look like, the same in every table and figure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from refusalbench_tasks.logs.model_names import short_names
from refusalbench_tasks.logs.run import AnyRun
from refusalbench_tasks.report.charts import Curves, Scatter
from refusalbench_tasks.report.figures.figure import Absent, Figure


def labels(runs: Sequence[AnyRun], short: Mapping[str, str]) -> list[str]:
    """Return a name for each run, no two alike: its model, with its graders and a number where that is not enough.

    `short` are the names of models.
    """
    names = [short[run.model] or "(no name)" for run in runs]
    models = Counter(names)
    by = short_names(sorted({grader for run in runs for grader in run.graders}))
    graders = [" + ".join(sorted(by[name] for name in run.graders)) or "no grader" for run in runs]
    names = [f"{name} ({by})" if models[name] > 1 else name for name, by in zip(names, graders, strict=True)]
    counts, taken = Counter(names), set(names)
    result = []
    for name in names:
        k, given = 1, name
        while counts[name] > 1 and (given == name or given in taken):
            given, k = f"{name} #{k}", k + 1
        taken.add(given)
        result.append(given)
    return result


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
        replace(figure, chart=replace(figure.chart, looks=looks))
        if isinstance(figure, Figure) and isinstance(figure.chart, Curves | Scatter)
        else figure
        for figure in figures
    ]
