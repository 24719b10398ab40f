"""The tables of runs of `nq` and `garage`."""

from collections.abc import Sequence

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.results.coverage import coverage, uneven_note, why_withheld
from refusalbench_tasks.results.read_offline import run_bounds
from refusalbench_tasks.results.run_view import BY_PART
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

from .estimate_cells import row_of_estimates, row_of_system
from .figures.rates import references
from .groups import Group, SystemView

_TEXTS = data_yaml("report", "refusal_tables.yaml")
_CI = "95 % CIs resample base questions."
_COMPARE_BOUNDS = (
    ": compare the bounds, the lowest and the highest value that what is not known"
    " leaves possible; values are of decided replies alone."
)


def overview(group: Group) -> Table:
    """Return every main metric that any run has, and those of models that treat all
    rows alike and are no run.
    """
    longest = max((system.main_names for system in group.systems), key=len)
    names = [name for name in RATES if name in longest]
    rows = [row_of_system(system, names) for system in group.systems]
    alike = references(group)
    for title, metrics in alike.items():
        values = {name: metrics[name] for name in names}
        rows.append(row_of_estimates({"system": title}, values))
    note = _CI
    if alike:
        note += f" Models that treat every row alike: {', '.join(alike)}."
    for system in group.systems:
        if why := why_withheld(system, "answer_accuracy"):
            note += f" {system.label} has no answer accuracy: {why}."
    return Table(
        "overview",
        "Main metrics",
        rows,
        note,
    )


def more_tables(group: Group) -> list[Table]:
    """Return the tables behind the figures: by class, intensity and domain, controls,
    retrieval, quads and questions back; some without rows.
    """
    classes = [kind.value for kind in CLASSES]
    levels = [level.value for level in PERTURBED]
    domains = sorted(set(group.rows["domain"]) - {""})
    tables = [
        by_part(group, "class", classes),
        by_part(group, "intensity", levels),
        by_part(group, "domain", domains),
    ]
    asks_back = any((system.rows["asks_back"] == 1).any() for system in group.systems)
    for key, texts in _TEXTS.items():
        known = asks_back or key != "clarifications"
        rows = _rows(group, texts["metrics"]) if known else []
        table = Table(
            key,
            texts["title"],
            rows,
            texts["note"],
        )
        tables.append(table)
    return tables


def _rows(group: Group, names: Sequence[str]) -> list[TableRow]:
    """Return the rows of the runs that have one of some metrics."""
    rows = []
    for system in group.systems:
        if not system.numbers.keys().isdisjoint(names):
            rows.append(row_of_system(system, names))
    return rows


def by_part(group: Group, column: str, parts: Sequence[str]) -> Table:
    """Return five rates of each system by the parts of a column, those that some row is
    of.
    """
    parts = [part for part in parts if (group.rows[column] == part).any()]
    coverages = []
    for system in group.systems:
        for part in parts:
            coverages.append(coverage(_part(system, column, part).replies))
    note = uneven_note(coverages)
    rows = []
    for system in group.systems:
        rates = {name: system.by_group(column, parts, name) for name in BY_PART}
        for k, part in enumerate(parts):
            values = {name: rates[name][k] for name in BY_PART}
            about = {"system": system.label, column: part}
            bounds = run_bounds(_part(system, column, part)) if note else None
            rows.append(row_of_estimates(about, values, bounds))
    return Table(
        column,
        f"By {column}",
        rows,
        f"{_CI} {note}{_COMPARE_BOUNDS}" if note else _CI,
    )


def _part(system: SystemView, column: str, part: str) -> Run:
    return system.run.of_rows(system.run.replies[column] == part)
