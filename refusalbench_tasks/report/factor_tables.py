"""The tables of what moves hedging: by factor of the sources, and by kind of ambiguity."""

from collections.abc import Iterable, Sequence

from refusalbench_tasks.metrics.hedging_factors import Effect
from refusalbench_tasks.metrics.hedging_kinds import MEASURES as OF_KINDS
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.tables import Table, TableRow

_EFFECTS = (
    "Of one factor: mean difference, doubtful - sound, between two sets of sources for one question that differ in it "
    "alone. Of two: by how much more the first moves the measure where the second gives cause for doubt. Guarded = "
    "refuses or hedges, of the replies that are decided; hedge rate is of answers, hedges are terms a reply; n counts "
    "differences, 95 % intervals resample questions."
)
_CONFLICTS = (
    "The effect of conflict, over those pairs of sets alone whose conflict is about this: asked = the value that is "
    "asked for; other_thing = that of another thing; former_value = one that no longer holds; bounds = between which "
    "values it lies. A conflict about what is asked stands in sufficient sources, each other kind in insufficient ones."
)
_KINDS = "Under ambiguous sources, by what the data say makes them so, and ambiguous - clear of the same questions."


def factor_tables(tallies: Sequence[HedgingTally]) -> list[Table]:
    """Return the tables of factors, of conflicts and of kinds, each for the runs whose data tell them."""
    effects = [row for t in tallies for row in _effects(t)]
    conflicts = [row for t in tallies for row in _conflicts(t)]
    kinds = [row for t in tallies for row in _kinds(t)]
    return [
        *([Table("factors", "What moves hedging", effects, _EFFECTS)] if effects else []),
        *([Table("conflicts", "What a conflict is about", conflicts, _CONFLICTS)] if conflicts else []),
        *([Table("kinds", "By kind of ambiguity", kinds, _KINDS)] if kinds else []),
    ]


def _effects(tally: HedgingTally) -> list[TableRow]:
    return _by_name(tally.label, "factor", [(one.name, one) for one in tally.factors])


def _conflicts(tally: HedgingTally) -> list[TableRow]:
    return _by_name(tally.label, "conflict about", tally.conflicts)


def _by_name(label: str, what: str, effects: Iterable[tuple[str, Effect]]) -> list[TableRow]:
    rows: dict[str, TableRow] = {}
    for name, one in effects:
        row = rows.setdefault(name, {"model": label, what: name})
        row |= Value(one.value, one.low, one.high, one.n).cells(one.measure.replace("_", " "))
    return list(rows.values())


def _kinds(tally: HedgingTally) -> list[TableRow]:
    found: list[TableRow] = []
    for kind, by_measure in tally.kinds.items():
        row: TableRow = {"model": tally.label, "kind": kind}
        for measure in OF_KINDS:
            for part, word in (("ambiguous", ""), ("difference", " difference")):
                one = by_measure[measure][part]
                row |= Value(one.value, one.low, one.high, one.n).cells(f"{measure.replace('_', ' ')}{word}")
        found.append(row)
    return found
