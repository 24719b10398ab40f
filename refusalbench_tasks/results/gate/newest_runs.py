"""The runs that a gate is about: the newest of each task, model and data, and those
before it.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import CONTINUED
from refusalbench_tasks.replies.outside_text import printable
from refusalbench_tasks.results.run_view import GroupKey, RunView
from refusalbench_tasks.results.table import Run, read_logs

_HARMLESS = ("not a log of this suite with", "a log of ", CONTINUED)
"""The beginnings of the reasons for which a log may be missing in a gate."""


def newest(paths: Sequence[str], about: str, texts: bool = False) -> list[Run]:
    """Return the newest run of each task, model and data (its name: rows may change),
    which must have ended well.

    Raises DataError for a log of ours that can't be read, is running, was cancelled,
    failed or invalidated: a gate must not pass by an older log because the new one is
    broken.
    """
    for path in paths:
        if "://" not in path and not Path(path).exists():
            raise DataError(f"{about}: no such file or folder '{path}'")
    logs = read_logs(paths, texts, makers=False)
    for name, reason in logs.left_out:
        if not reason.startswith(_HARMLESS):
            raise DataError(f"{name}: {reason}; repair or remove it")
    found = {(run.task, run.model, run.data): run for run in logs.runs}
    for run in found.values():
        if run.status != "success":
            states = {
                "started": "the run is not finished, or was killed",
                "cancelled": "the run was cancelled",
            }
            raise DataError(
                f"{run.name}: {states.get(run.status, 'the run ended in an error')};"
                " finish or remove it"
            )
        if run.header.invalidated:
            raise DataError(
                f"{run.name}: samples of it were marked as invalid; run these again, or"
                " remove it"
            )
    for run in logs.runs:
        if found[run.task, run.model, run.data] is not run:
            click.echo(
                printable(
                    "Note: a newer run of its task, model and data stands for"
                    f" {run.name}"
                ),
                err=True,
            )
    return list(found.values())


def earlier(paths: Sequence[str], runs: Sequence[Run], last: int) -> list[Run]:
    """Return for each run the up to `last` finished runs before it, of its task, model,
    data and epochs, as one.

    Raises DataError for a run that has none.
    """
    logs = read_logs(paths, makers=False)
    found = []
    for run in runs:
        if run.cluster == "row":
            raise DataError(
                f"--last: {run.name} takes rows for independent, and several runs of a"
                " row are not"
            )
        same = [
            one
            for one in logs.runs
            if _kind(one) == _kind(run) and one.status == "success"
        ]
        before = [one for one in same if one.created < run.created]
        if not before:
            raise DataError(
                f"--last: no finished run of {run.model} on the same rows is older than"
                f" {run.name}"
            )
        found.append(pooled(sorted(before, key=lambda one: one.created)[-last:]))
    return found


def _kind(run: Run) -> tuple[GroupKey, str, int]:
    return RunView(run).group_key.compared(), run.model, epochs(run)


def epochs(run: Run) -> int:
    """Return how many replies each row has."""
    return int(run.replies["epoch"].max()) if len(run.replies) else 0


def pooled(runs: Sequence[Run]) -> Run:
    """Return runs of the same rows as one run with the epochs of all."""
    import pandas as pd

    each = epochs(runs[-1])
    tables = [
        run.replies.assign(epoch=run.replies["epoch"] + k * each)
        for k, run in enumerate(runs)
    ]
    return replace(runs[-1], replies=pd.concat(tables, ignore_index=True))


def repeated(run: Run, baseline: Run) -> Run:
    """Return a run with its epochs as often as a pooled baseline has them, so that each
    is compared with each of those.

    CIs resample questions, so a reply that stands there several times counts for no
    more.
    """
    return pooled([run] * max(epochs(baseline) // max(epochs(run), 1), 1))
