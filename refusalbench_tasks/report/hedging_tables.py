"""The tables of runs of `bluff`."""

from collections.abc import Sequence

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.source_factors import Effect
from refusalbench_tasks.tables import Table, TableRow

from .estimate_cells import (
    cells,
    row_of_estimates,
    row_of_system,
)
from .groups import Group, SystemView

_MAIN = (
    "asi",
    "confidence_drop",
    "hedging_difference",
    "vui",
    "hedge_precision",
    "hedge_recall",
    "source_set_on_hedging",
    "lexical_overconfidence",
    "refusal_rate",
    "refusal_count",
    "refusal_sensitivity",
    "missed_refusals",
    "answer_correctness",
    "faithfulness",
    "overlap",
    "attribution",
    "hallucination",
    "grounding",
    "ece",
    "brier",
    "confidence_accuracy_correlation",
    "no_reply_rate",
    "unscored_rate",
)
_NOTES = {
    "arms": (
        "Whether ambiguous sources make a difference at all. Hedge rate = answers with"
        " a hedge / answers; p20 = replies whose confidence is below the 20th"
        " percentile of the run; 95 % CIs resample questions."
    ),
    "factors": (
        "Of one factor: mean difference, doubtful - sound, between two sets of sources"
        " for one question that differ in it alone. Of two: by how much more the first"
        " moves the measure where the second gives cause for doubt. n counts"
        " differences."
    ),
    "conflicts": (
        "The effect of conflict, over those pairs of sets alone whose conflict is about"
        " this."
    ),
}


def hedging_overview(group: Group) -> Table:
    """Return the published table of metrics (Figure 2 of BLUFF-1000)."""
    rows = [row_of_system(system, _MAIN) for system in group.systems]
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
    return [
        Table(
            "arms",
            "By arm",
            arms,
            _NOTES["arms"],
        ),
        Table(
            "factors",
            "What moves hedging",
            factors,
            _NOTES["factors"],
        ),
        Table(
            "conflicts",
            "What a conflict is about",
            conflicts,
            _NOTES["conflicts"],
        ),
    ]


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
