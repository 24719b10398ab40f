"""The logs that published numbers can be set beside."""

from collections.abc import Iterable
from dataclasses import dataclass

from inspect_ai.log import EvalLog, list_eval_logs

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_members import read_header, unreadable
from refusalbench_tasks.generators.generation_logs import GenerationRun, find_runs
from refusalbench_tasks.results.logs.parallel import each
from refusalbench_tasks.results.logs.run import scorer_of
from refusalbench_tasks.results.published.comparability import task_of


@dataclass(frozen=True)
class Headers:
    """The headers of finished runs, the generation runs, and the files that were left out, each with its reason."""

    used: tuple[EvalLog, ...]
    left_out: tuple[tuple[str, str], ...]
    generation: tuple[GenerationRun, ...] = ()


def read_headers(paths: Iterable[str]) -> Headers:
    """Return the finished runs in files and folders: headers of `nq`, `garage` and `bluff`, and generation runs.

    Raises DataError if paths are given and none of them holds such a run.
    """
    given = list(paths)
    names = sorted({info.name for path in given for info in list_eval_logs(path)})
    read = dict(zip(names, each(header_of, names, "logs"), strict=True))
    written = [name for name, found in read.items() if isinstance(found, EvalLog) and task_of(found) == "perturb"]
    generation = find_runs(written)
    reasons = {
        name: found.removeprefix(f"{name}: ") if isinstance(found, str) else _unused(found)
        for name, found in read.items()
        if name not in written
    }
    left_out = (*((name, reason) for name, reason in reasons.items() if reason), *generation.left_out)
    used = tuple(found for name in reasons if isinstance(found := read[name], EvalLog) and not reasons[name])
    if given and not used and not generation.runs:
        why = f"; {len(left_out)} left out, the first because: {left_out[0][1]}" if left_out else ""
        raise DataError(f"{', '.join(given)}: no finished run of {tasks_text('bluff')}{why}")
    return Headers(used, left_out, generation.runs)


def header_of(name: str) -> EvalLog | str:
    """Return the header of a log file, or the line that says why it can't be read."""
    try:
        return read_header(name)
    except Exception as error:  # anything can be wrong with a file, and it must not hide the others
        return str(unreadable(name, error))


def _unused(header: EvalLog) -> str:
    if scorer_of(header) is None:
        return f"not a log of {tasks_text('bluff')}"
    if header.status != "success":
        return f"an unfinished run (status: {header.status})"
    return "" if header.results else "a run without scores"
