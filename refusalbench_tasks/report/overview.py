"""The tables at the head of a section: rates with intervals and n, how complete a run is, and who decided."""

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import numpy as np

from refusalbench_tasks.logs.run import AnyRun
from refusalbench_tasks.metrics.bounds import rate_bounds, unknown_bounds
from refusalbench_tasks.metrics.hedging_calibration import credited
from refusalbench_tasks.metrics.hedging_n import IN_REPORT
from refusalbench_tasks.metrics.missing_confidence import confidence_warning
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS
from refusalbench_tasks.outcome import DecidedBy
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.tally import DataRow, Tally, perturbed_losses, reference
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

INCOMPLETE = 0.05
"""A run with a larger share of undecided or lost rows than this is flagged."""
_BOUNDS = "What a rate could be if every undecided, ungraded, lost or never run row counted against it, or for it."


def refusal_overview(tallies: Sequence[Tally], data: Sequence[DataRow]) -> list[Table]:
    """Return rates, bounds and completeness of the runs of a section."""
    rows = [_rates(t.label, t.main) for t in tallies]
    for name, label in (("(always answers)", Label.ANSWER), ("(always refuses: info missing)", Label.MISSING)):
        rows.append(_rates(name, reference(data, label)))
    note = "95 % intervals resample base questions. The last two rows are models that treat every row alike."
    return [
        Table("overview", "Main metrics", rows, note),
        completeness(tallies),
        Table(
            "bounds",
            "Bounds over what is not known",
            [row for t in tallies for row in _bounds(t)],
            _BOUNDS,
        ),
        *control_overview(tallies),
    ]


def control_overview(tallies: Sequence[Tally]) -> list[Table]:
    """Return the rates on unperturbed controls, of the runs that have some; no table without any."""
    rows: list[TableRow] = []
    for tally in tallies:
        if tally.controls:
            row: TableRow = {"model": tally.label}
            for name, value in tally.of_controls.items():
                row |= value.cells(name.replace("_", " "))
            rows.append(row)
    note = "The originals as they were before perturbation: answerable rows that are in no other rate."
    return [Table("controls", "Unperturbed controls", rows, note)] if rows else []


def completeness(tallies: Sequence[Tally]) -> Table:
    """Return how complete each run is, and who decided."""
    return Table("completeness", "Completeness, and who decided", [_completeness(t) for t in tallies])


def _rates(name: str, values: dict[str, Value]) -> TableRow:
    row: TableRow = {"model": name}
    for metric in WITH_INTERVALS:
        row |= values[metric].cells(metric.replace("_", " "))
    return row


def _completeness(tally: Tally) -> TableRow:
    reasons = Counter(row.reason or "undecided" for row in tally.rows if row.outcome.predicted is None)
    deciders = Counter(row.decided_by for row in tally.rows)
    ungraded = sum(row.outcome.predicted is not None and row.outcome.right is None for row in tally.rows)
    controls = len(tally.run.rows) - len(tally.rows)
    asked = [row for row in tally.rows if row.confidence_asked and row.outcome.right is not None]
    return (
        {"model": tally.label, "rows": len(tally.rows), "controls": controls, "undecided": sum(reasons.values())}
        | {"why": ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))}
        | {"ungraded": ungraded, "errors": len(tally.run.lost), "never run": tally.run.never_run}
        | {"confidence unreadable": sum(not row.level for row in asked)}
        | {f"by {decider}": deciders[decider] for decider in get_args(DecidedBy)}
        | _graders(tally.run)
    )


def _graders(run: AnyRun) -> TableRow:
    self_graded = sum(row.self_graded for row in run.rows.values())
    return {"self-graded": self_graded, "graders": ", ".join(sorted(run.graders)) or "none", "status": run.status}


def _bounds(tally: Tally) -> list[TableRow]:
    lost = [facts.expected for facts in perturbed_losses(tally.run).values()]
    # a row of which nothing is known, not even its label, could be of either side
    either = lost.count(None) + tally.run.never_run
    answerable = lost.count(Label.ANSWER)
    unanswerable = len(lost) - answerable - lost.count(None)
    found = rate_bounds(tally.counts.sum(axis=0), answerable + either, unanswerable + either)
    return [
        {"model": tally.label, "metric": name.replace("_", " "), "measured": tally.main[name].value}
        | {"lowest": bounds.low, "highest": bounds.high, "not known": bounds.unknown}
        for name, bounds in found.items()
    ]


def warnings_of(tallies: Sequence[Tally]) -> list[str]:
    """Return what a reader of a section must be told before its numbers."""
    told = []
    for t in tallies:
        lost = len(perturbed_losses(t.run)) + t.run.never_run
        unknown, total = sum(row.outcome.right is None for row in t.rows) + lost, len(t.rows) + lost
        if total and unknown / total > INCOMPLETE:
            told.append(f"{t.label}: {unknown} of {total} rows are undecided, ungraded or lost; read the bounds.")
        asked = [row for row in t.rows if row.confidence_asked and row.outcome.right is not None]
        unread = sum(not row.level for row in asked)
        if unread > INCOMPLETE * len(asked):
            told.append(f"{t.label}: {unread} of {len(asked)} replies state no readable confidence.")
        if any(row.outcome.predicted is not None and row.outcome.right is None for row in t.rows):
            told.append(
                f"{t.label}: attempts are ungraded; its answer accuracy has all false refusals, not all attempts."
            )
    return told + _shared_warnings([(t.label, t.run) for t in tallies])


def hedging_warnings(tallies: Sequence[HedgingTally]) -> list[str]:
    """Return what a reader of a section of `bluff` runs must be told before its numbers."""
    told = []
    for t in tallies:
        lost = len(t.run.lost) + t.run.never_run
        unknown, total = t.metrics["n_unscored"] + t.metrics["n_ungraded"] + lost, t.metrics["n"] + lost
        if total and unknown / total > INCOMPLETE:
            told.append(f"{t.label}: {unknown:.0f} of {total:.0f} replies are unscored, ungraded or lost.")
        warning = confidence_warning(t.metrics)
        if warning:
            told.append(f"{t.label}: {warning}")
        for reason, what in (("missing_arm", "lack an arm"), ("no_confidence", "lack a confidence")):
            if t.metrics[f"n_pairs_{reason}"] > INCOMPLETE * t.metrics["n_pairs"]:
                told.append(
                    f"{t.label}: {t.metrics[f'n_pairs_{reason}']:.0f} of {t.metrics['n_pairs']:.0f} pairs {what}."
                )
    return told + _shared_warnings([(t.label, t.run) for t in tallies])


def _shared_warnings(runs: Sequence[tuple[str, AnyRun]]) -> list[str]:
    told = [
        f"{label}: the run did not finish (status: {run.status})." for label, run in runs if run.status != "success"
    ]
    told += [
        f"{label}: the evaluated model graded itself."
        for label, run in runs
        if any(row.self_graded for row in run.rows.values())
    ]
    if len({run.graders for _, run in runs if run.graders}) > 1:
        told.append("The runs were graded by different models; a difference may be theirs.")
    if len({run.prompt for _, run in runs}) > 1:
        told.append("The runs were given different prompts; a difference may be the prompt's.")
    if any(not run.fingerprint for _, run in runs):
        told.append("A run does not say which rows it was given; whether the runs share their rows is not known.")
    return told


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
        Table("bounds", "Bounds over what is not known", [row for t in tallies for row in _hedging_bounds(t)], _BOUNDS),
    ]


def _hedging_bounds(tally: HedgingTally) -> list[TableRow]:
    rows = tally.run.scored
    lost = len(tally.run.lost) + tally.run.never_run
    refused, grades = rows.column("refused"), credited(rows)
    undecided = int(np.isnan(refused).sum())
    ungraded = int((rows.answered & ~rows.graded).sum())
    found = {
        "refusal rate": unknown_bounds(float(np.nansum(refused)), len(rows) - undecided, undecided + lost),
        # an undecided reply could be an answer, and right or wrong
        "answer correctness": unknown_bounds(
            float(np.nansum(grades)), int((~np.isnan(grades)).sum()), ungraded + undecided + lost
        ),
    }
    return [
        {"model": tally.label, "metric": name, "measured": tally.metrics[name.replace(" ", "_")]}
        | {"lowest": bounds.low, "highest": bounds.high, "not known": bounds.unknown}
        for name, bounds in found.items()
    ]
