"""Rows that come in pairs and quads: how consistent runs are, and apart what a question alone tells."""

from collections.abc import Iterator, Sequence

from refusalbench_tasks.metrics.consistency import CONSISTENCY, consistency, consistency_intervals
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.stats.cluster import Mask
from refusalbench_tasks.tables import Table, TableRow

_RATES = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "missed_refusal_rate")
_NOTE = (
    "A pair or quad is right if all its replies are; one with a missing or undecided reply does not count. 95 % "
    "intervals resample quads. Quads are hidden unless a question alone tells that it has no answer, as an opinion does"
)


def quad_tables(tallies: Sequence[Tally]) -> list[Table]:
    """Return consistency and four rates of the runs over pairs and quads; no table if no run has any.

    Quads whose question alone tells that it has no answer stand in lines of their own.
    """
    rows = [line for tally in tallies for line in _lines(tally)]
    return [Table("quads", "Pairs and quads", rows, _NOTE)] if rows else []


def _lines(tally: Tally) -> Iterator[TableRow]:
    paired = tally.rows.mask(lambda row: row.facts.pair)
    told = tally.rows.mask(lambda row: row.facts.intrinsic)
    parts = {"all": paired, "hidden": paired & ~told, "the question alone tells": paired & told}
    for name, mask in parts.items():
        if mask.any() and (name == "all" or (mask != paired).any()):
            yield _line(tally, name, mask)


def _line(tally: Tally, name: str, mask: Mask) -> TableRow:
    rows = tally.rows.where(mask)
    line: TableRow = {"model": tally.label, "quads": name}
    found, sure, rates = consistency(rows), consistency_intervals(rows, 1000, 0), tally.with_intervals(mask)
    for metric in CONSISTENCY:
        low, high = sure[f"{metric}_ci_low"], sure[f"{metric}_ci_high"]
        line |= Value(found[metric], low, high, found[f"{metric}_n"]).cells(metric.replace("_", " "))
    for metric in _RATES:
        line |= rates[metric].cells(metric.replace("_", " "))
    return line
