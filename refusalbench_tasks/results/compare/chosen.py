"""Which runs of files and folders are compared with which."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.logs.find import newest_run, read_logs
from refusalbench_tasks.results.logs.parallel import each
from refusalbench_tasks.results.logs.run import AnyRun

Pair = tuple[AnyRun, AnyRun]


@dataclass(frozen=True)
class Chosen:
    """The runs that paths stand for, in the order of the paths, and what was left out of their folders and why."""

    runs: tuple[AnyRun, ...]
    one_each: bool
    """Whether each path stands for one run."""
    left_out: tuple[str, ...]


def chosen_runs(paths: Sequence[str]) -> Chosen:
    """Return the run of each file, and of each folder the newest finished run per model, task and rows.

    What can't be read in a folder is left out. Raises DataError for a file that can't be read, or is no finished run,
    and for a folder without one.
    """
    files = [path for path in paths if not _is_folder(path)]
    read = dict(zip(files, each(newest_run, files, "logs"), strict=True))
    runs: list[AnyRun] = []
    left_out: list[str] = []
    counts = []
    for path in paths:
        if path in read:
            newest = read[path]
            if newest.run is None:
                raise DataError(newest.damaged[0])
            found, told = [newest.run], list(newest.damaged)
        else:
            found, told = _in_folder(path)
        runs += found
        left_out += told
        counts.append(len(found))
    return Chosen(tuple(runs), counts == [1] * len(paths), tuple(left_out))


def pairs_of(runs: Sequence[AnyRun], against: str | None = None, any_data: bool = False
             ) -> tuple[list[Pair], list[AnyRun]]:  # fmt: skip
    """Return the pairs to compare, each within one task, protocol, list of hedges and data, and the runs in none.

    All pairs, or each run with the one that `against` names: a model, by its whole name or the end of it after a
    slash, or the path of its log. With `any_data` the data may differ. Raises DataError if nothing can be compared, or
    if `against` is the name of no run or of several.
    """
    groups: dict[tuple[str, ...], list[AnyRun]] = defaultdict(list)
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


def _is_folder(path: str) -> bool:
    # a folder in a store, too: only a log has a log's ending
    return Path(path).is_dir() or not path.endswith((".eval", ".json"))


def _in_folder(path: str) -> tuple[list[AnyRun], list[str]]:
    found = read_logs([path])
    told = [f"{name}: {reason}" for name, reason in found.left_out]
    newest: dict[tuple[str, ...], AnyRun] = {}
    runs: list[AnyRun] = [*found.refusal, *found.hedging]
    for run in sorted(runs, key=lambda run: (run.created, run.name)):
        if run.status != "success":
            told.append(f"{run.name}: not a finished run (status: {run.status})")
            continue
        key = (run.task, run.model, run.fingerprint, run.protocol, run.lexicon)
        # the order is that of the newest runs
        newest.pop(key, None)
        newest[key] = run
    if not newest:
        raise DataError(f"{path}: no finished run{f'; {told[0]}' if told else ''}")
    return list(newest.values()), told


def _named(group: Sequence[AnyRun], against: str) -> AnyRun | None:
    end = against.removeprefix("./")
    named = [run for run in group if run.model == against or run.name == against or run.name.endswith(f"/{end}")]
    named = named or [run for run in group if run.model.endswith(f"/{against}")]
    if len(named) > 1:
        names = ", ".join(run.name for run in named)
        raise DataError(f"--against: {against} is the name of several runs; give the log of one: {names}")
    return named[0] if named else None
