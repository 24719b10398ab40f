"""Which runs of files and folders are compared, and with which."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.datasets.draw import grouped
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import LeftOut, file_name

from .comparison import Pair
from .run_view import RunView
from .table import Run, read_logs


def choose_runs(
    paths: Sequence[str], texts: bool = False
) -> tuple[list[Run], list[LeftOut]]:
    """Return the run of each file, and of each folder the newest finished run per
    model, treatment and what runs of one table have in common, oldest first.

    With `texts` whole samples are read. What can't be read in a folder, or is not
    finished, is left out with its reason. Raises DataError for a path without a
    finished run.
    """
    runs: list[Run] = []
    left_out = []
    for path in paths:
        logs = read_logs([path], texts)
        newest: dict[tuple[str, ...], Run] = {}
        for run in logs.runs:
            key = (*RunView(run).group_key, run.model, run.treatment, run.agent)
            if run.status == "success":
                newest.pop(key, None)
                newest[key] = run
            else:
                why = f"not a finished run (status: {run.status})"
                left_out.append((run.name, why))
        if not newest:
            raise DataError(
                f"{path}: not a finished run of {tasks_text('bluff')} (status:"
                f" {logs.runs[-1].status})"
            )
        runs += newest.values()
        left_out += logs.left_out
    return runs, left_out


def refusal_runs(paths: Sequence[str]) -> list[Run]:
    """Return the runs at each path.

    Raises DataError for one that is none of `nq` or `garage`.
    """
    runs, _ = choose_runs(paths)
    for run in runs:
        if not run.refusal:
            raise DataError(
                f"{run.name}: a run of {run.task}; this needs one of {tasks_text()}"
            )
    return runs


def pairs_of(
    runs: Sequence[Run],
    against: str | None,
    any_data: bool = False,
) -> list[Pair]:
    """Return the pairs to compare, each within what runs that are compared have in
    common (`GroupKey.compared`).

    All pairs, or each run with the one that `against` names: a model, by its whole name
    or the end of it after a slash, or the path of its log. With `any_data` the data may
    differ. Raises DataError if nothing can be compared, or if `against` is the name of
    several runs.
    """
    groups = grouped(runs, lambda run: RunView(run).group_key.compared(any_data))
    pairs: list[Pair] = []
    for group in groups.values():
        if against is None:
            pairs += combinations(group, 2)
            continue
        end = Path(against).name
        named = [
            run for run in group if against == run.model or file_name(run.name) == end
        ]
        if not named:
            named = [run for run in group if run.model.endswith(f"/{against}")]
        if len(named) > 1:
            names = ", ".join(run.name for run in named)
            raise DataError(
                f"--against: {against} is the name of several runs; give the log of"
                f" one: {names}"
            )
        for first in named:
            pairs += [(first, run) for run in group if run is not first]
    if not pairs:
        known = ", ".join(sorted({f"{run.model} on {run.task}" for run in runs}))
        why = "no two runs of one task over the same rows"
        if against:
            why = f"no run of {against} with another beside it"
        raise DataError(f"compare: {why}; found: {known}")
    return pairs
