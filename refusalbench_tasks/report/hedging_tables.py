"""The tables of runs of `bluff`."""

from collections.abc import Sequence

from refusalbench_tasks.bounded_reading import data_yaml
from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.source_factors import Effect
from refusalbench_tasks.tables import Table, TableRow

from .estimate_cells import (
    cells,
    row_of_estimates,
    row_of_system,
)
from .groups import Group, SystemView

_TEXTS = data_yaml("report", "hedging_tables.yaml")


def hedging_overview(group: Group) -> Table:
    """Return the published table of metrics (Figure 2 of BLUFF-1000)."""
    rows = [row_of_system(system, _TEXTS["main"]) for system in group.systems]
    title = "Main metrics (BLUFF-1000, Figure 2)"
    return Table(
        "overview",
        title,
        rows,
        "95 % CIs resample questions.",
    )


def hedging_tables(group: Group) -> list[Table]:
    """Return the tables by arm, by factor and by what a conflict is about; some
    without rows.
    """
    arms = []
    factors = []
    conflicts = []
    for system in group.systems:
        arms += _arms(system)
        factors += _effects(system, "factor", system.effects)
        conflicts += _effects(system, "conflict about", system.conflict_effects)
    rows = {"arms": arms, "factors": factors, "conflicts": conflicts}
    tables = _TEXTS["tables"].items()
    return [Table(key, rows=rows[key], **texts) for key, texts in tables]


def _arms(system: SystemView) -> list[TableRow]:
    arms = system.by_arm
    rows = []
    for arm in next(iter(arms.values())):
        title = "ambiguous - clear" if arm == "difference" else arm
        values = {measure: estimates[arm] for measure, estimates in arms.items()}
        rows.append(row_of_estimates({"system": system.label, "arm": title}, values))
    return rows


def _effects(
    system: SystemView, what: str, effects: Sequence[Effect]
) -> list[TableRow]:
    rows: dict[str, TableRow] = {}
    for effect in effects:
        name = effect.about or effect.name
        row = rows.setdefault(name, {"system": system.label, what: name})
        row |= cells(effect.found, label_of(effect.measure))
    return list(rows.values())
