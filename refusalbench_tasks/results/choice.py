"""Which runs of files and folders are compared, and with which."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.comparison import Pair
from refusalbench_tasks.results.log_files import LeftOut
from refusalbench_tasks.results.table import Run, read_logs


@dataclass(frozen=True)
class Choice:
    """The runs that paths stand for, in the order of the paths, and what was left out of their folders and why."""

    runs: tuple[Run, ...]
    one_each: bool
    """Whether each path stands for one run."""
    left_out: tuple[LeftOut, ...]


def choose_runs(paths: Sequence[str], latest: bool = False, texts: bool = False) -> Choice:
    """Return the run of each file, and of each folder the newest finished run per model, task and rows.

    With `latest` a folder stands for its newest run alone, with `texts` whole samples are read. What can't be read in a
    folder is left out. Raises DataError for a file that can't be read, or is no finished run, and for a folder without
    one.
    """
    runs: list[Run] = []
    left_out: list[LeftOut] = []
    counts = []
    for path in paths:
        found = read_logs([path], texts, makers=False)
        newest = _newest_of_each(found.runs)
        left_out += found.left_out
        left_out += [
            (run.name, f"not a finished run (status: {run.status})") for run in found.runs if run.status != "success"
        ]
        if not newest:
            raise DataError(f"{path}: not a finished run of {tasks_text('bluff')} (status: {found.runs[-1].status})")
        newest = newest[-1:] if latest else newest
        runs += newest
        counts.append(len(newest))
    return Choice(tuple(runs), counts == [1] * len(paths), tuple(left_out))


def _newest_of_each(runs: Sequence[Run]) -> list[Run]:
    """Return the newest finished run of each model, treatment, task, rows and way of scoring, oldest first."""
    newest: dict[tuple[str, ...], Run] = {}
    for run in runs:
        if run.status == "success":
            key = (run.task, run.model, run.fingerprint, run.protocol, run.lexicon, run.treatment)
            newest.pop(key, None)
            newest[key] = run
    return list(newest.values())


def refusal_runs(paths: Sequence[str]) -> Choice:
    """Return the newest run at each path. Raises DataError for one that is none of `nq` or `garage`."""
    found = choose_runs(paths, latest=True)
    for run in found.runs:
        if not run.refusal:
            raise DataError(f"{run.name}: a run of {run.task}; this needs one of {tasks_text()}")
    return found


def pairs_of(runs: Sequence[Run], against: str | None = None, any_data: bool = False) -> tuple[list[Pair], list[Run]]:
    """Return the pairs to compare, each within one task, protocol, list of hedges and data, and the runs in none.

    All pairs, or each run with the one that `against` names: a model, by its whole name or the end of it after a
    slash, or the path of its log. With `any_data` the data may differ. Raises DataError if nothing can be compared, or
    if `against` is the name of no run or of several.
    """
    groups: dict[tuple[str, ...], list[Run]] = defaultdict(list)
    for run in runs:
        groups[run.task, run.protocol, run.lexicon, "" if any_data else run.fingerprint].append(run)
    pairs: list[Pair] = []
    for group in groups.values():
        first = None if against is None else _named(group, against)
        if against is None:
            pairs += combinations(group, 2)
        elif first is not None:
            pairs += [(first, run) for run in group if run is not first]
    if not pairs:
        known = ", ".join(sorted({f"{run.model} on {run.task}" for run in runs}))
        why = f"no run of {against} with another beside it" if against else "no two runs of one task over the same rows"
        raise DataError(f"compare: {why}; found: {known}")
    used = {id(run) for pair in pairs for run in pair}
    return pairs, [run for run in runs if id(run) not in used]


def _named(group: Sequence[Run], against: str) -> Run | None:
    end = Path(against).name
    named = [run for run in group if run.model == against or run.name.rpartition("/")[2] == end]
    named = named or [run for run in group if run.model.endswith(f"/{against}")]
    if len(named) > 1:
        names = ", ".join(run.name for run in named)
        raise DataError(f"--against: {against} is the name of several runs; give the log of one: {names}")
    return named[0] if named else None
