"""The runs that a gate is about: the newest of each task, model and data."""

from collections.abc import Sequence

import click

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import CONTINUED
from refusalbench_tasks.replies.outside_text import printable
from refusalbench_tasks.results.table import Run, read_logs

_HARMLESS = ("not a log of this suite with", "a log of ", CONTINUED)
"""The beginnings of the reasons for which a log may be missing in a gate."""
_UNFINISHED = {
    "started": "the run is not finished, or was killed",
    "cancelled": "the run was cancelled",
}


def newest(paths: Sequence[str], texts: bool = False) -> list[Run]:
    """Return the newest run of each task, model and data (its name: rows may change),
    which must have ended well.

    Raises DataError for a path that does not exist, and for a log of ours that can't be
    read, is running, was cancelled, failed or invalidated: a gate must not pass by an
    older log because the new one is broken.
    """
    logs = read_logs(paths, texts, failed=True)
    for name, reason in logs.left_out:
        if not reason.startswith(_HARMLESS):
            raise DataError(f"{name}: {reason}; repair or remove it")
    latest = {(run.task, run.model, run.data): run for run in logs.runs}
    for run in latest.values():
        if run.status != "success":
            state = _UNFINISHED.get(run.status, "the run ended in an error")
            if run.failures:
                state += f" ({run.failures})"
            raise DataError(f"{run.name}: {state}; finish or remove it")
        if run.header.invalidated:
            raise DataError(
                f"{run.name}: samples of it were marked as invalid; run these again, or"
                " remove it"
            )
    for run in logs.runs:
        if latest[run.task, run.model, run.data] is not run:
            note = "Note: a newer run of its task, model and data stands for "
            click.echo(printable(note + run.name), err=True)
    return list(latest.values())
