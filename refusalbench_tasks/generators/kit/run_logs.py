"""The logs of one task that makes data: found, and read sample by sample."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.kit.chosen_logs import Chosen, LeftOut, Logs, choose_logs, unusable
from refusalbench_tasks.generators.kit.log_samples import Unreadable, read_samples

Run = TypeVar("Run")
Noted = TypeVar("Noted")
Sample = Mapping[str, Any]


@dataclass(frozen=True)
class FoundRuns(Generic[Run]):
    """The runs that files and folders hold, and what was left out, by log."""

    runs: tuple[Run, ...]
    left_out: tuple[LeftOut, ...]


def find_task_runs(
    logs: Logs, task: str, read: Callable[[EvalLog], tuple[Run | None, list[Unreadable]]]
) -> FoundRuns[Run]:
    """Return the finished runs of a task in files and folders; what cannot be read is left out and named.

    `read` makes a run of a header, or None where nothing of it can be used.
    """
    chosen = choose_logs(logs, (task,))
    read_each = [read_or_why(read, header) for header in chosen.headers]
    return found_runs(chosen, read_each)


Read = tuple[Run | None, list[LeftOut]]
"""What was read of a log, or None, and why it or a part of it was not."""


def read_or_why(read: Callable[[EvalLog], tuple[Run | None, list[Unreadable]]], header: EvalLog) -> Read[Run]:
    """Return what is read of a log, whatever is wrong with it."""
    name = header.location
    try:
        run, unread = read(header)
    except Exception as error:  # anything can be wrong with a file, and one must not lose the others
        return None, [(name, unusable(name, error))]
    if not unread:
        return run, []
    first = f"{unread[0].member}: {unread[0].why}"
    return run, [(name, f"{len(unread)} samples cannot be read, the first {first}")]


def found_runs(chosen: Chosen, read_each: Iterable[Read[Run]]) -> FoundRuns[Run]:
    """Return the runs that were read of the chosen logs, and all that was left out."""
    runs: list[Run] = []
    left_out = list(chosen.left_out)
    for run, reasons in read_each:
        left_out += reasons
        if run is not None:
            runs.append(run)
    return FoundRuns(tuple(runs), tuple(left_out))


def read_noted(name: str, note: Callable[[Sample], Noted]) -> tuple[list[Noted], list[Unreadable]]:
    """Return what each sample of a log notes, and the samples of which it cannot be read."""
    noted: list[Noted] = []
    unread: list[Unreadable] = []
    for sample in read_samples(name):
        if isinstance(sample, Unreadable):
            unread.append(sample)
            continue
        try:
            noted.append(note(sample))
        except (LookupError, TypeError, ValueError) as error:
            told = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            unread.append(Unreadable(str(sample.get("id")), told))
    return noted, unread


def last_score(sample: Sample, scorer: str) -> Mapping[str, Any] | None:
    """Return a sample's newest score by a scorer; None for a sample that ended in an error."""
    scores = sample.get("scores") or {}
    named = [name for name in scores if name.rstrip("-0123456789") == scorer]
    found: Mapping[str, Any] | None = scores[named[-1]] if named else None
    return found
