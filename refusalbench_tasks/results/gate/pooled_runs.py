"""The runs before the newest of a system, as one baseline."""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.run_view import GroupKey, RunView
from refusalbench_tasks.results.table import Run, read_logs


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
    logs = read_logs(paths, texts)
    # in the order of their creation
    finished = [run for run in logs.runs if run.status == "success"]
    baselines = []
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

    newest = runs[-1]
    epochs = _epochs(newest)
    tables = [
        run.replies.assign(epoch=run.replies["epoch"] + before * epochs)
        for before, run in enumerate(runs)
    ]
    return replace(newest, replies=pd.concat(tables, ignore_index=True))


def repeated(run: Run, baseline: Run) -> Run:
    """Return a run with its epochs as often as a pooled baseline has them, so that each
    is compared with each of those.

    CIs resample questions, so a reply that stands there several times counts for no
    more.
    """
    return pooled([run] * max(_epochs(baseline) // max(_epochs(run), 1), 1))
