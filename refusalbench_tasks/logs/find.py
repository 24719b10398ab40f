"""The logs that a report is made from."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from inspect_ai.log import list_eval_logs

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.generation_logs import Run as GenerationRun
from refusalbench_tasks.generators.generation_logs import find_runs
from refusalbench_tasks.logs.members import read_header, unreadable
from refusalbench_tasks.logs.parallel import each
from refusalbench_tasks.logs.run import HedgingRun, RefusalRun, read_run
from refusalbench_tasks.logs.superseded import superseded


@dataclass(frozen=True)
class Logs:
    """What was found: runs of `nq` and `garage`, runs of `bluff`, generation logs, and what was left out and why."""

    refusal: tuple[RefusalRun, ...]
    hedging: tuple[HedgingRun, ...]
    generation: tuple[GenerationRun, ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _File:
    """One log file: its run (None: not one of ours, or a generation log), and which attempt at which task run it is."""

    name: str
    task: str
    task_id: str
    status: str
    created: str
    run: RefusalRun | HedgingRun | None
    problem: str = ""


def read_logs(paths: Iterable[str]) -> Logs:
    """Return the runs in files and folders, in the order of their creation. Raises DataError if there is none of ours.

    The finished log of a run that was killed and continued stands for its attempts. An unfinished run is read as far as
    it came, and says so by its status.
    """
    given = list(paths)
    files = each(_read, sorted({info.name for path in given for info in list_eval_logs(path)}), "logs")
    made = find_runs([file.name for file in files if file.task == "perturb" and file.status == "success"])
    continued = superseded((f.name, f.task_id, f.status, f.created) for f in files if f.run or f.task == "perturb")
    left_out = [(file.name, reason) for file in files if (reason := _left_out(file, continued))]
    left_out += made.left_out
    kept = [file.run for file in files if file.run is not None and not _left_out(file, continued)]
    runs = sorted(kept, key=lambda run: (run.created, run.name))
    if not runs and not made.runs:
        why = f"; {len(left_out)} left out, the first because: {left_out[0][1]}" if left_out else ""
        raise DataError(f"{', '.join(given)}: no log with scored samples of nq, garage, bluff or perturb{why}")
    refusal = tuple(cast(RefusalRun, run) for run in runs if run.kind == "refusal")
    hedging = tuple(cast(HedgingRun, run) for run in runs if run.kind == "hedging")
    return Logs(refusal, hedging, made.runs, tuple(left_out))


def _read(name: str) -> _File:
    # one bad file must not lose the others, and anything can be wrong with a file
    try:
        header = read_header(name)
        run = read_run(name, header)
    except Exception as error:
        return _File(name, "", name, "", "", None, str(unreadable(name, error)).removeprefix(f"{name}: "))
    task = header.eval.task.rpartition("/")[2]
    return _File(name, task, header.eval.task_id, header.status, header.eval.created, run)


def _left_out(file: _File, continued: set[str]) -> str:
    if file.problem:
        return file.problem
    if file.name in continued:
        return "a later log continues this run"
    if file.run is None:
        if file.task != "perturb":
            return "not a log of this suite"
        return "" if file.status == "success" else f"an unfinished generation run (status: {file.status})"
    return "" if file.run.rows else f"no scored sample (status: {file.status})"
