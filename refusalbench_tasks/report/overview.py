"""The tables at the head of a section: rates with intervals and n, how complete a run is, and who decided."""

from collections.abc import Iterable, Sequence
from typing import get_args

from refusalbench_tasks.metrics.alike_rows import AlikeRows
from refusalbench_tasks.metrics.hedging_n import IN_REPORT
from refusalbench_tasks.outcome import DecidedBy
from refusalbench_tasks.report.bounds_table import hedging_bounds, refusal_bounds
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.quad_table import quad_tables
from refusalbench_tasks.report.tally import DataRow, Tally, reference
from refusalbench_tasks.results.logs.run import AnyRun, RefusalRun
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label


def refusal_overview(tallies: Sequence[Tally], data: AlikeRows[DataRow]) -> list[Table]:
    """Return rates, consistency of pairs and quads, bounds and completeness of the runs of a section."""
    # every metric that any run has; runs without codes have others
    names = tuple(dict.fromkeys(name for t in sorted(tallies, key=_most) for name in t.run.main_metrics))
    rows = [_rates(t.label, t.main, names) for t in tallies]
    for name, label in (("(always answers)", Label.ANSWER), ("(always refuses: info missing)", Label.MISSING)):
        rows.append(_rates(name, reference(data, label), names))
    note = "95 % intervals resample base questions. The last two rows are models that treat every row alike."
    return [
        Table("overview", "Main metrics", rows, note),
        *quad_tables(tallies),
        completeness(tallies),
        refusal_bounds(tallies),
        *control_overview(tallies),
        *retrieval_overview(tallies),
    ]


def _most(tally: Tally) -> int:
    return -len(tally.run.main_metrics)


def control_overview(tallies: Sequence[Tally]) -> list[Table]:
    """Return the rates on unperturbed controls, of the runs that have some; no table without any."""
    note = "The originals as they were before perturbation: answerable rows that are in no other rate."
    return _where_there("controls", "Unperturbed controls", [(t.label, t.of_controls) for t in tallies], note)


def retrieval_overview(tallies: Sequence[Tally]) -> list[Table]:
    """Return the metrics of retrieval, of the runs that tell what was retrieved; no table without any."""
    note = "Answerable rows. A false refusal given a hit is the reader's; given a miss it is the retriever's."
    return _where_there("retrieval", "Retrieval", [(t.label, t.of_retrieval) for t in tallies], note)


def _where_there(key: str, title: str, values: Iterable[tuple[str, dict[str, Value]]], note: str) -> list[Table]:
    """Return the table of the runs, named by their labels, that have such values; none without any."""
    rows = [_rates(label, own, list(own)) for label, own in values if own]
    return [Table(key, title, rows, note)] if rows else []


def completeness(tallies: Sequence[Tally]) -> Table:
    """Return how complete each run is, and who decided."""
    return Table("completeness", "Completeness, and who decided", [_completeness(t) for t in tallies])


def _rates(name: str, values: dict[str, Value], metrics: Sequence[str]) -> TableRow:
    row: TableRow = {"model": name}
    for metric in metrics:
        row |= values[metric].cells(metric.replace("_", " "))
    return row


def _completeness(tally: Tally) -> TableRow:
    undecided = tally.rows.at(~tally.rows.decided)
    reasons = undecided.counted(lambda row: row.reason or "undecided")
    deciders = tally.rows.counted(lambda row: row.decided_by)
    ungraded = int((tally.rows.decided & ~tally.rows.right_is_known).sum())
    controls = len(tally.run.rows) - len(tally.rows)
    return (
        {"model": tally.label, "rows": len(tally.rows), "controls": controls, "undecided": len(undecided)}
        | {"why": ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))}
        | {"ungraded": ungraded, "errors": len(tally.run.lost), "never run": tally.run.never_run}
        | {"confidence unreadable": tally.unread_confidences}
        | {f"by {decider}": deciders[decider] for decider in get_args(DecidedBy)}
        | _graders(tally.run)
    )


def _graders(run: AnyRun) -> TableRow:
    if isinstance(run, RefusalRun):
        self_graded = run.every_row.number(lambda row: row.self_graded)
    else:
        self_graded = sum(row.self_graded for row in run.rows.values())
    return {"self-graded": self_graded, "graders": ", ".join(sorted(run.graders)) or "none", "status": run.status}


def hedging_overview(tallies: Sequence[HedgingTally]) -> list[Table]:
    """Return the published table of metrics (Figure 2 of BLUFF-1000) and the completeness of the runs."""
    rows: list[TableRow] = []
    for t in tallies:
        row: TableRow = {"model": t.label}
        for metric in IN_REPORT:
            row |= t.value(metric).cells(metric.replace("_", " "))
        rows.append(row)
    names = ("n", "n_unscored", "n_ungraded", "n_pairs", "n_pairs_refused", "n_pairs_unscored", "n_pairs_missing_arm",
             "n_pairs_no_confidence", "n_by_phrase", "n_by_judge")  # fmt: skip
    counts = [
        {"model": t.label}
        | {name.removeprefix("n_").replace("_", " "): int(t.metrics[name]) for name in names}
        | {"errors": len(t.run.lost), "never run": t.run.never_run}
        | _graders(t.run)
        for t in tallies
    ]
    return [
        Table("overview", "Main metrics (BLUFF-1000, Figure 2)", rows, "95 % intervals resample questions."),
        Table("completeness", "Completeness, and who decided", counts),
        hedging_bounds(tallies),
    ]
