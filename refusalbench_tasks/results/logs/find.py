"""The runs that files and folders hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_header import short_header
from refusalbench_tasks.files.log_members import UnreadableLog, unreadable
from refusalbench_tasks.files.log_names import log_names
from refusalbench_tasks.results.logs.parallel import each
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun, read_run
from refusalbench_tasks.results.logs.shard_paths import without_merged
from refusalbench_tasks.results.logs.show import Summary, our_scores, summarise
from refusalbench_tasks.results.logs.superseded import superseded

if TYPE_CHECKING:
    from refusalbench_tasks.generators.generation_logs import GenerationRun

MAKERS = ("question", "collect")
"""The tasks whose logs have numbers of what they made, and no rows that a report draws."""
_WITHOUT_ROWS = ("perturb", *MAKERS)


@dataclass(frozen=True)
class Logs:
    """What was found: runs of `nq` and `garage`, of `bluff`, generation logs, and what was left out and why."""

    refusal: tuple[RefusalRun, ...]
    hedging: tuple[HedgingRun, ...]
    generation: "tuple[GenerationRun, ...]"
    left_out: tuple[tuple[str, str], ...]
    makers: tuple[tuple[str, Summary], ...] = ()
    """What the runs of `question` and `collect` came to, by log."""


@dataclass(frozen=True)
class _File:
    """One log file: its run (None: not one of ours, or a generation log), and which attempt at which task run it is."""

    name: str
    task: str
    task_id: str
    status: str
    created: str
    run: AnyRun | None
    problem: str = ""
    made: Summary | None = None


def read_logs(paths: Iterable[str]) -> Logs:
    """Return the runs in files and folders, in the order of their creation. Raises DataError if there is none of ours.

    The finished log of a run that was killed and continued stands for its attempts. An unfinished run is read as far as
    it came, and says so by its status.
    """
    places = list(paths)
    files = each(_read, without_merged(sorted({name for path in places for name in log_names(path)})), "logs")
    generation, without_runs = _generation(files)
    continued = superseded((f.name, f.task_id, f.status, f.created) for f in files if f.run or f.task in _WITHOUT_ROWS)
    left_out = [(file.name, reason) for file in files if (reason := _left_out(file, continued))]
    left_out += without_runs
    readable = [file.run for file in files if file.run is not None and not _left_out(file, continued)]
    runs = sorted(readable, key=lambda run: (run.created, run.name))
    used = [file for file in sorted(files, key=lambda file: file.created) if not _left_out(file, continued)]
    makers = tuple((file.name, file.made) for file in used if file.made)
    if not runs and not generation and not makers:
        why = f"; {len(left_out)} left out, the first because: {left_out[0][1]}" if left_out else ""
        tasks = tasks_text("bluff", "perturb", *MAKERS)
        raise DataError(f"{', '.join(places)}: no log with scored samples of {tasks}{why}")
    refusal = tuple(run for run in runs if isinstance(run, RefusalRun))
    hedging = tuple(run for run in runs if isinstance(run, HedgingRun))
    return Logs(refusal, hedging, generation, tuple(left_out), makers)


def _generation(files: Iterable[_File]) -> "tuple[tuple[GenerationRun, ...], tuple[tuple[str, str], ...]]":
    """Return the generation runs, and which of their logs are left out and why."""
    written = [file.name for file in files if file.task == "perturb" and file.status == "success"]
    if not written:
        return (), ()
    # without such a log Inspect need not be loaded
    from refusalbench_tasks.generators.generation_logs import find_runs

    found = find_runs(written)
    return found.runs, found.left_out


def _read(name: str) -> _File:
    # one bad file must not lose the others, and anything can be wrong with a file
    try:
        header = short_header(name)
        run = read_run(name, header)
    except Exception as error:
        return _File(name, "", name, "", "", None, str(unreadable(name, error)).removeprefix(f"{name}: "))
    task = header.eval.task.rpartition("/")[2]
    made = summarise(header)[-1] if task in MAKERS and our_scores(header) else None
    return _File(name, task, header.eval.task_id, header.status, header.eval.created, run, made=made)


def _left_out(file: _File, continued: set[str]) -> str:
    if file.problem:
        return file.problem
    if file.name in continued:
        return "a later log continues this run"
    if file.run is None:
        if file.task not in _WITHOUT_ROWS:
            return "not a log of this suite"
        if file.status != "success":
            return f"an unfinished generation run (status: {file.status})"
        return "" if file.made or file.task not in MAKERS else f"a log of {file.task} without its scores"
    return "" if file.run.rows else f"no scored sample (status: {file.status})"


@dataclass(frozen=True)
class Newest:
    """The newest run at a path that can be read, if there is one, and what is wrong with each log that is newer."""

    run: AnyRun | None
    damaged: tuple[str, ...] = ()


def newest_run(path: str) -> Newest:
    """Return the run of a log file, or of the newest log in a folder that can be read.

    Raises DataError if there is no log, or that log is not a finished run of `nq`, `garage` or `bluff`.
    """
    logs = log_names(path)
    if not logs:
        raise DataError(f"{path}: no log there")
    damaged: list[str] = []
    for log in logs:
        try:
            return Newest(_finished_run(log), tuple(damaged))
        except UnreadableLog as error:
            damaged.append(str(error))
    return Newest(None, tuple(damaged))


def refusal_run(run: AnyRun) -> RefusalRun:
    """Return a run that is one of `nq` or `garage`. Raises DataError for any other."""
    if not isinstance(run, RefusalRun):
        raise DataError(f"{run.name}: a run of {run.task}; this needs one of {tasks_text()}")
    return run


def _finished_run(name: str) -> AnyRun:
    try:
        header = short_header(name)
        run = read_run(name, header)
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(name, error) from None
    if header.status != "success" or run is None:
        raise DataError(f"{name}: not a finished run of {tasks_text('bluff')} (status: {header.status})")
    return run
