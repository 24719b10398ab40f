"""Which logs files and folders hold, what their headers say, and
which of them count.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import EvalLog, list_eval_logs

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import CONTINUED, UnreadableLog, read_header
from refusalbench_tasks.replies.outside_text import one_line

LeftOut = tuple[str, str]
"""A log's name, and why it or a part of it is not used."""
REFUSAL = ("refusal_scores", "grounded_scores")
HEDGING = ("hedging_scores",)
"""The scorers of `nq` and `garage`, and of `bluff`, whose scores are rows of the table.
"""
APPLICATIONS = ("replay", "endpoint", "callable")
"""The solvers that give an application's replies; it counts as a model does."""


def log_names(paths: Iterable[str]) -> list[str]:
    """Return the logs in files and folders by name, without the shards of a merged log,
    which stands for them.

    Raises DataError for a path that does not exist.
    """
    found: set[str] = set()
    for path in paths:
        if "://" not in path and not Path(path).exists():
            raise DataError(f"{path}: no such file or folder")
        found |= {info.name for info in list_eval_logs(path)}
    return [name for name in sorted(found) if merged_name(name) not in found]


def merged_name(name: str) -> str | None:
    """Return the merged log that a shard's log belongs to by its place
    (`NAME.shards/K/`); None for one elsewhere.
    """
    folder = name.rpartition("/")[0].rpartition("/")[0]
    return (
        f"{folder.removesuffix('.shards')}.eval" if folder.endswith(".shards") else None
    )


def read_headers(paths: Iterable[str]) -> tuple[list[EvalLog], list[LeftOut]]:
    """Return the headers of the logs in files and folders by their creation, and what
    is left out, with reasons.
    """
    headers = []
    left_out = []
    for name in log_names(paths):
        try:
            header = read_header(name)
        except UnreadableLog as error:
            left_out.append((name, str(error).removeprefix(f"{name}: ")))
            continue
        header.location = name
        headers.append(header)
    continued = superseded(headers)
    left_out += [(name, CONTINUED) for name in sorted(continued)]
    used = [log for log in headers if log.location not in continued]
    return sorted(used, key=lambda log: (log.eval.created, log.location)), left_out


def superseded(headers: Iterable[EvalLog]) -> set[str]:
    """Return the unfinished logs of task runs that have a finished, or a later
    unfinished, one.
    """
    runs: dict[str, list[EvalLog]] = defaultdict(list)
    for header in headers:
        runs[header.eval.task_id].append(header)
    result: set[str] = set()
    for attempts in runs.values():
        last = max(
            attempts,
            key=lambda log: (log.status == "success", log.eval.created, log.location),
        )
        result |= {
            log.location
            for log in attempts
            if log.status != "success" and log is not last
        }
    return result


def task_of(header: EvalLog) -> str:
    """Return the name of a log's task, without its package."""
    return one_line(header.eval.task.rpartition("/")[2])


def noted(header: EvalLog, *names: str) -> str:
    """Return the first of some facts that a task noted of its data in a log; blank
    where it has none.
    """
    facts = header.eval.metadata or {}
    return one_line(next((facts[name] for name in names if facts.get(name)), ""))


def scores_of(names: Iterable[str], scorers: Sequence[str]) -> list[str]:
    """Return the names that are those of our scorers, the newest last.

    `inspect score --action append` numbers what it adds: `refusal_scores1` is newer
    than `refusal_scores`.
    """
    return [name for name in names if name.rstrip("-0123456789") in scorers]


def scorer_of(header: EvalLog) -> str | None:
    """Return the name of the newest of our row scores in a log; None for a log of
    anything else.
    """
    named = [score.name for score in header.results.scores] if header.results else []
    named = named or [
        scorer.name.rpartition("/")[2] for scorer in header.eval.scorers or ()
    ]
    return next(reversed(scores_of(named, (*REFUSAL, *HEDGING))), None)


@dataclass(frozen=True)
class System:
    """The name of who replied, and whether that is a baseline: a solver of ours in
    place of a model.
    """

    name: str
    baseline: bool = False


def system_of(header: EvalLog) -> System:
    """Return who replied: the model; without one the solver's argument `name`, or the
    name of the solver.
    """
    spec = header.eval
    if spec.model != "none/none":
        return System(one_line(spec.model))
    solver = spec.solver.rpartition("/")[2] if spec.solver else spec.model
    if solver not in APPLICATIONS:
        return System(one_line(solver), baseline=True)
    given = one_line((spec.solver_args or {}).get("name") or "")
    return System(given or solver)
