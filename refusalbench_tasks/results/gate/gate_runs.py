"""The runs that a gate is about: the newest of each task, model and data, and those
before them as a baseline.
"""

from collections.abc import Sequence
from dataclasses import replace

import click

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import CONTINUED
from refusalbench_tasks.replies.outside_text import printable
from refusalbench_tasks.results.run_view import GroupKey, RunView
from refusalbench_tasks.results.table import NO_SCORE, Run, read_logs

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


def baseline_of(run: Run, baselines: Sequence[Run]) -> Run:
    """Return the baseline of a run: of its task; of several that of its data and model.

    Raises DataError for none.
    """
    of_task = [baseline for baseline in baselines if baseline.task == run.task]
    chosen = [baseline for baseline in of_task if baseline.data == run.data] or of_task
    if len(chosen) > 1:
        chosen = [baseline for baseline in chosen if baseline.model == run.model]
    if len(chosen) != 1:
        raise DataError(
            f"--against: {len(of_task)} runs of {run.task} there; name the log for"
            f" {run.model}"
        )
    [baseline] = chosen
    if not len(baseline.replies):
        raise DataError(f"--against: {baseline.name}: {NO_SCORE}: {baseline.failures}")
    return baseline


def earlier_runs(
    paths: Sequence[str],
    runs: Sequence[Run],
    last: int,
    texts: bool,
) -> list[Run]:
    """Return for each run the up to `last` finished runs before it, of its task, model,
    data and epochs, as one.

    Raises DataError for a run that has none.
    """
    baselines = []
    # in the order of their creation
    finished = [run for run in read_logs(paths, texts).runs if run.status == "success"]
    for run in runs:
        if run.cluster == "row":
            raise DataError(
                f"--last: {run.name} takes rows for independent, and several runs of a"
                " row are not"
            )
        before = [
            other
            for other in finished
            if other.created < run.created and _kind(other) == _kind(run)
        ]
        if not before:
            raise DataError(
                f"--last: no finished run of {run.model} on the same rows is older than"
                f" {run.name}"
            )
        baselines.append(pooled(before[-last:]))
    return baselines


def _kind(run: Run) -> tuple[GroupKey, str, int]:
    # replies that were read otherwise make no one baseline
    key = RunView(run).group_key.compared()._replace(reader=run.reader)
    return key, run.model, _epochs(run)


def _epochs(run: Run) -> int:
    return int(run.replies["epoch"].max()) if len(run.replies) else 0


def pooled(runs: Sequence[Run]) -> Run:
    """Return runs of the same rows as one run with the epochs of all."""
    import pandas as pd

    epochs = _epochs(runs[-1])
    tables = [
        run.replies.assign(epoch=run.replies["epoch"] + before * epochs)
        for before, run in enumerate(runs)
    ]
    return replace(runs[-1], replies=pd.concat(tables, ignore_index=True))


def repeated(run: Run, baseline: Run) -> Run:
    """Return a run with its epochs as often as a pooled baseline has them, so that each
    is compared with each of those.

    CIs resample questions, so a reply that stands there several times counts for no
    more.
    """
    return pooled([run] * max(_epochs(baseline) // max(_epochs(run), 1), 1))
