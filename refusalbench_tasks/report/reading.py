"""The logs that a report is made from."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import click
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.report.run import HedgingRun, RefusalRun, read_run, scorer_of

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Logs:
    """What was found: runs of `nq` and `garage`, runs of `bluff`, generation logs, and what was left out and why."""

    refusal: tuple[RefusalRun, ...]
    hedging: tuple[HedgingRun, ...]
    generation: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


def read_logs(paths: Iterable[str]) -> Logs:
    """Return the runs in files and folders, in the order of their creation. Raises DataError if there is none of ours.

    The finished log of a run that was killed and continued stands for its attempts. An unfinished run is read as far as
    it came, and says so by its status.
    """
    names = sorted({info.name for path in paths for info in list_eval_logs(path)})
    headers = list(zip(names, shown(_header, names, "log headers"), strict=True))
    generation = tuple(n for n, h in headers if h.eval.task.rpartition("/")[2] == "perturb" and h.status == "success")
    ours = [(name, header) for name, header in headers if scorer_of(header)]
    attempts = _superseded(ours)
    left_out = [(name, "a later log continues this run") for name in sorted(attempts)]
    left_out += [(n, "not a log of this suite") for n, h in headers if not scorer_of(h) and n not in generation]
    found = shown(lambda pair: read_run(*pair), [pair for pair in ours if pair[0] not in attempts], "logs")
    runs = sorted((run for run in found if run is not None), key=lambda run: (run.created, run.name))
    left_out += [(run.name, f"no scored sample (status: {run.status})") for run in runs if not run.rows]
    runs = [run for run in runs if run.rows]
    if not runs and not generation:
        raise DataError("report: no log with scored samples of nq, garage, bluff or perturb there")
    refusal = tuple(run for run in runs if run.task != "bluff")
    hedging = tuple(run for run in runs if run.task == "bluff")
    return Logs(refusal, hedging, generation, tuple(left_out))  # type: ignore[arg-type]


def _header(name: str) -> EvalLog:
    return read_eval_log(name, header_only=True)


def _superseded(logs: Sequence[tuple[str, EvalLog]]) -> set[str]:
    """Return the unfinished logs of task runs that have a finished, or a later unfinished, one."""
    runs: dict[str, list[tuple[str, EvalLog]]] = defaultdict(list)
    for name, header in logs:
        runs[header.eval.task_id].append((name, header))
    result: set[str] = set()
    for own in runs.values():
        unfinished = sorted((h.eval.created, name) for name, h in own if h.status != "success")
        done = len(unfinished) < len(own)
        result |= {name for _, name in (unfinished if done else unfinished[:-1])}
    return result


def shown(function: Callable[[In], Out], items: Sequence[In], what: str) -> list[Out]:
    """Return the function's value for each item, with a progress bar on a terminal."""
    with click.progressbar(items, label=what, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        return [function(item) for item in bar]
