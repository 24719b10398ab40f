"""What the rows are, and what models do on one passage and on ten."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Figure, Stacks
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.results.run_view import BY_PART
from refusalbench_tasks.taxonomy import PERTURBED

from .metric_charts import metric_dots

_COLOURS = ("#4292c6", "#0072b2", "#4f6d8f")
_PATTERNS = ("", "///", "xxx")
_METRICS = ("calibrated_refusal_score", *BY_PART)


def rows_by_cell(group: Group) -> Figure | str:
    """Return how many rows there are of each class and intensity."""
    counts = {}
    for name, rows in group.rows.groupby("class"):
        if name:
            counts[str(name)] = Counter(rows["intensity"])
    if not counts:
        return "no row has a class"
    levels = [level.value for level in PERTURBED]
    colours = dict(zip(levels, _COLOURS, strict=True))
    patterns = dict(zip(levels, _PATTERNS, strict=True))
    return Figure(
        "coverage",
        "Rows by class and intensity",
        "numbers of rows, each once, whatever became of the replies; without controls",
        Stacks(
            counts,
            colours,
            patterns,
            as_counts=True,
        ),
    )


def one_against_ten(groups: Sequence[Group]) -> Figure | None:
    """Return the main metrics on `garage` beside those on `nq` of the models in the
    first two groups of these that are scored and read alike; None without.
    """
    for first, second in product(groups, groups):
        nq, garage = (group.systems[0].group_key for group in (first, second))
        alike = (nq.protocol, nq.reader) == (garage.protocol, garage.reader)
        on_ten = {system.run.model: system for system in second.models}
        shared = [system for system in first.models if system.run.model in on_ten]
        if (nq.task, garage.task) == ("nq", "garage") and alike and shared:
            return _side_by_side(shared, [on_ten[each.run.model] for each in shared])
    return None


def _side_by_side(on_one: Sequence[SystemView], on_ten: Sequence[SystemView]) -> Figure:
    titles = {label_of(metric): metric for metric in _METRICS}
    marks = {}
    for title, metric in titles.items():
        marks[title] = [system.number(metric).value for system in on_one]
    return Figure(
        "nq-against-garage",
        "One passage against ten",
        "dots are on garage, with 95 % CIs by base question; upright marks are on nq;"
        " the newest run of each model that has both, scored alike",
        replace(metric_dots(on_ten, titles), marks=marks),
        "RefusalBench, App. F.7",
    )
