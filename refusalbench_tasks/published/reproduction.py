"""Published numbers beside those of a user's logs."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.log import EvalLog, EvalScore, list_eval_logs

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_members import read_header, unreadable
from refusalbench_tasks.logs.parallel import each
from refusalbench_tasks.logs.run import scorer_of
from refusalbench_tasks.logs.score_names import scores_of
from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.published.comparability import differences, released_fingerprints, task_of
from refusalbench_tasks.published.papers import Published, PublishedRow

Reading = Literal["consistent", "not consistent", "no interval", "undefined", "not comparable", "needs a log"]


@dataclass(frozen=True)
class Reproduced:
    """One published number and what a log says: NaN where there is no log, or the log has no such number.

    `differences` are what keeps the log from reproducing the number, a few words each.
    """

    paper: str
    row: PublishedRow
    measured: float
    low: float
    high: float
    n: float
    reading: Reading
    log: str
    differences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Headers:
    """The headers of finished runs, and the files that were left out, each with its reason."""

    used: tuple[EvalLog, ...]
    left_out: tuple[tuple[str, str], ...]


def read_headers(paths: Iterable[str]) -> Headers:
    """Return the headers of the finished runs of `nq`, `garage` and `bluff` in files and folders.

    Raises DataError if paths are given and none of them holds such a run.
    """
    given = list(paths)
    names = sorted({info.name for path in given for info in list_eval_logs(path)})
    read = dict(zip(names, each(header_of, names, "logs"), strict=True))
    reasons = {
        name: found.removeprefix(f"{name}: ") if isinstance(found, str) else _unused(found)
        for name, found in read.items()
    }
    left_out = tuple((name, reason) for name, reason in reasons.items() if reason)
    used = tuple(found for found in read.values() if isinstance(found, EvalLog) and not _unused(found))
    if given and not used:
        why = f"; {len(left_out)} left out, the first because: {left_out[0][1]}" if left_out else ""
        raise DataError(f"{', '.join(given)}: no finished run of nq, garage or bluff{why}")
    return Headers(used, left_out)


def header_of(name: str) -> EvalLog | str:
    """Return the header of a log file, or the line that says why it can't be read."""
    try:
        return read_header(name)
    except Exception as error:  # anything can be wrong with a file, and it must not hide the others
        return str(unreadable(name, error))


def _unused(header: EvalLog) -> str:
    if scorer_of(header) is None:
        return "not a log of nq, garage or bluff"
    if header.status != "success":
        return f"an unfinished run (status: {header.status})"
    return "" if header.results else "a run without scores"


def reproduce(
    papers: Sequence[Published], headers: Sequence[EvalLog], names: Mapping[str, str] | None = None
) -> list[Reproduced]:
    """Return every published number with the newest log of its task and model, where there is one.

    `consistent`: the number lies in the log's 95 % interval. A log with other data, rows or settings than the published
    ones is shown, but read as `not comparable`. `names` says which published model an evaluated one stands for, where
    its id does not tell. Raises DataError for an unknown published model in `names`.
    """
    given = names or {}
    known = {model for paper in papers for model in paper.models}
    for model in given.values():
        if model not in known:
            raise DataError(f"reproduce: unknown published model '{model}'; known: {', '.join(sorted(known))}")
    released = released_fingerprints(headers)
    result = []
    for paper in papers:
        newest: dict[tuple[str, str], EvalLog] = {}
        for header in sorted(headers, key=lambda one: one.eval.created):
            stands_for = given.get(header.eval.model) or paper.model_of(header.eval.model)
            if stands_for:
                newest[task_of(header), stands_for] = header
        result += [_reproduced(paper, row, newest.get((row.task, row.model)), released) for row in paper.rows]
    return result


def without_a_place(
    papers: Sequence[Published], headers: Sequence[EvalLog], names: Mapping[str, str] | None = None
) -> list[str]:
    """Return the models, each with its task, that no paper prints a number of and that `names` does not name."""
    given = names or {}
    runs = {(task_of(header), header.eval.model) for header in headers}
    printed = {
        (task, model)
        for task, model in runs
        for paper in papers
        for row in paper.rows
        if (row.task, row.model) == (task, given.get(model) or paper.model_of(model))
    }
    return sorted(f"{model} ({task})" for task, model in runs - printed)


def _reproduced(
    paper: Published, row: PublishedRow, header: EvalLog | None, released: Mapping[str, set[str]]
) -> Reproduced:
    nan = math.nan
    score = _newest_score(paper, header)
    if header is None or score is None:
        return Reproduced(paper.paper, row, nan, nan, nan, nan, "needs a log", "")
    values = {key: metric.value for key, metric in score.metrics.items()}
    measured, low, high = (values.get(f"{row.metric}{end}", nan) for end in ("", "_ci_low", "_ci_high"))
    other = differences(paper, row, header, score, released)
    reading = _reading(row.value, measured, low, high)
    if other and reading != "undefined":
        reading = "not comparable"
    n = values.get(N_OF.get(row.metric, f"{row.metric}_n"), nan)
    return Reproduced(paper.paper, row, measured, low, high, n, reading, str(header.location), other)


def _newest_score(paper: Published, header: EvalLog | None) -> EvalScore | None:
    scores = header.results.scores if header is not None and header.results else []
    newest = scores_of([score.name for score in scores], paper.scorers)[-1:]
    return next((score for score in scores if score.name in newest), None)


def _reading(published: float, measured: float, low: float, high: float) -> Reading:
    if math.isnan(measured):
        return "undefined"
    if math.isnan(low):
        return "no interval"
    return "consistent" if low <= published <= high else "not consistent"
