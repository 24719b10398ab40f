"""The tables of what moves hedging: by factor of the sources, and by kind of ambiguity."""

from collections.abc import Sequence

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
_KINDS = "Under ambiguous sources, by what the data say makes them so, and ambiguous - clear of the same questions."


def factor_tables(tallies: Sequence[HedgingTally]) -> list[Table]:
    """Return the tables of factors and of kinds, each for the runs whose data tell them."""
    effects = [row for t in tallies for row in _effects(t)]
    kinds = [row for t in tallies for row in _kinds(t)]
    return [
        *([Table("factors", "What moves hedging", effects, _EFFECTS)] if effects else []),
        *([Table("kinds", "By kind of ambiguity", kinds, _KINDS)] if kinds else []),
    ]


def _effects(tally: HedgingTally) -> list[TableRow]:
    rows: dict[str, TableRow] = {}
    for one in tally.factors:
        row = rows.setdefault(one.name, {"model": tally.label, "factor": one.name})
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
