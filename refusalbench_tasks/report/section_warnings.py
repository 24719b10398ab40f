"""What a reader of a section must be told before its numbers."""

from collections.abc import Sequence

from refusalbench_tasks.metrics.missing_confidence import confidence_warning
from refusalbench_tasks.report.hedging_tally import HedgingTally
from refusalbench_tasks.report.tally import Tally, perturbed_losses
from refusalbench_tasks.results.logs.keyed_rows import kinds_of
from refusalbench_tasks.results.logs.run import AnyRun

INCOMPLETE = 0.05
"""A run with a larger share of undecided or lost rows than this is flagged."""


def refusal_warnings(tallies: Sequence[Tally]) -> list[str]:
    """Return what a reader of a section must be told before its numbers."""
    warnings = []
    for t in tallies:
        lost = len(perturbed_losses(t.run)) + t.run.never_run
        unknown, total = int((~t.rows.right_is_known).sum()) + lost, len(t.rows) + lost
        if total and unknown / total > INCOMPLETE:
            warnings.append(f"{t.label}: {unknown} of {total} rows are undecided, ungraded or lost; read the bounds.")
        asked, unread = t.asked, t.unread_confidences
        if unread > INCOMPLETE * len(asked):
            warnings.append(f"{t.label}: {unread} of {len(asked)} replies state no readable confidence.")
        if (t.rows.decided & ~t.rows.right_is_known).any():
            warnings.append(
                f"{t.label}: attempts are ungraded; its answer accuracy has all false refusals, not all attempts."
            )
    return warnings + _shared_warnings([(t.label, t.run) for t in tallies])


def hedging_warnings(tallies: Sequence[HedgingTally]) -> list[str]:
    """Return what a reader of a section of `bluff` runs must be told before its numbers."""
    warnings = []
    for t in tallies:
        lost = len(t.run.lost) + t.run.never_run
        unknown, total = t.metrics["n_unscored"] + t.metrics["n_ungraded"] + lost, t.metrics["n"] + lost
        if total and unknown / total > INCOMPLETE:
            warnings.append(f"{t.label}: {unknown:.0f} of {total:.0f} replies are unscored, ungraded or lost.")
        warning = confidence_warning(t.metrics)
        if warning:
            warnings.append(f"{t.label}: {warning}")
        for reason, what in (("missing_arm", "lack an arm"), ("no_confidence", "lack a confidence")):
            if t.metrics[f"n_pairs_{reason}"] > INCOMPLETE * t.metrics["n_pairs"]:
                warnings.append(
                    f"{t.label}: {t.metrics[f'n_pairs_{reason}']:.0f} of {t.metrics['n_pairs']:.0f} pairs {what}."
                )
    return warnings + _shared_warnings([(t.label, t.run) for t in tallies])


def _shared_warnings(runs: Sequence[tuple[str, AnyRun]]) -> list[str]:
    warnings = [
        f"{label}: the run did not finish (status: {run.status})." for label, run in runs if run.status != "success"
    ]
    warnings += [
        f"{label}: the evaluated model graded itself."
        for label, run in runs
        if any(row.self_graded for row in kinds_of(run.rows))
    ]
    warnings += [
        f"{label}: its intervals take rows for independent, wherever they are said to be by question (cluster=row)."
        for label, run in runs
        if run.cluster == "row"
    ]
    if len({run.graders for _, run in runs if run.graders}) > 1:
        warnings.append("The runs were graded by different models; a difference may be theirs.")
    if len({run.prompt for _, run in runs}) > 1:
        warnings.append("The runs were given different prompts; a difference may be the prompt's.")
    if any(not run.fingerprint for _, run in runs):
        warnings.append("A run does not say which rows it was given; whether the runs share their rows is not known.")
    return warnings
