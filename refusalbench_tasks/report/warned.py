"""What a reader of a section must be told before its numbers."""

from refusalbench_tasks.report.system import Group, ShownSystem
from refusalbench_tasks.results.show import grader_warnings

INCOMPLETE = 0.05
"""A run with a larger share of unscored, ungraded or lost rows than this is flagged."""


def warnings_of(group: Group) -> list[str]:
    """Return what a reader of a section must be told before its numbers."""
    runs = [one.run for one in group.systems]
    warnings = [text for one in group.systems for text in _own(one)]
    if len({run.graders for run in runs if run.graders}) > 1:
        warnings.append(
            "The runs were graded by different models; a difference may be theirs."
        )
    if len({run.prompt for run in runs}) > 1:
        warnings.append(
            "The runs were given different prompts; a difference may be the prompt's."
        )
    if any(not run.fingerprint for run in runs):
        warnings.append(
            "A run does not say which rows it was given; whether the runs share their"
            " rows is not known."
        )
    return warnings


def _own(system: ShownSystem) -> list[str]:
    run = system.run
    rows = system.run.main
    warnings = []
    graded = (
        rows["right"]
        if run.refusal
        else rows["correctness"].where(rows["refused"] != 1, 0)
    )
    ungraded = int((graded.isna() & (rows["outcome"] != "no_reply")).sum())
    unknown = ungraded + len(run.lost) + run.never_run
    total = len(rows) + len(run.lost) + run.never_run
    if total and unknown > INCOMPLETE * total:
        warnings.append(
            f"{unknown} of {total} replies are unscored, ungraded or lost; read the"
            " bounds."
        )
    if run.refusal:
        unread, asked = system.without_level
        if unread > INCOMPLETE * asked:
            warnings.append(
                f"{unread} of {asked} replies state no readable confidence."
            )
    elif (
        silent := int((rows["confidence"].isna() & (rows["refused"] == 0)).sum())
    ) > INCOMPLETE * len(rows):
        warnings.append(
            f"{silent} of {len(rows)} replies are answers without a confidence."
        )
    if run.status != "success":
        warnings.append(f"the run did not finish (status: {run.status}).")
    if run.replies["self_graded"].any():
        warnings.append("the evaluated model graded itself.")
    warnings += [f"{text}." for text in grader_warnings(run.replies)]
    if run.cluster == "row":
        warnings.append(
            "its CIs take rows for independent, wherever they are said to be by"
            " question (cluster=row)."
        )
    return [f"{system.label}: {text}" for text in warnings]
