"""Published numbers beside those of a user's logs."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.report.papers import Published, PublishedRow
from refusalbench_tasks.report.parallel import each
from refusalbench_tasks.report.run import unreadable
from refusalbench_tasks.report.score_names import scores_of

Reading = Literal["consistent", "not consistent", "no interval", "undefined", "other data", "needs a log"]


@dataclass(frozen=True)
class Reproduced:
    """One published number and what a log says: NaN where there is no log, or the log has no such number."""

    paper: str
    row: PublishedRow
    measured: float
    low: float
    high: float
    reading: Reading
    log: str


def read_headers(paths: Iterable[str]) -> list[EvalLog]:
    """Return the headers of the finished runs of `nq`, `garage` and `bluff` in files and folders."""
    names = sorted({info.name for path in paths for info in list_eval_logs(path)})
    headers = each(header_of, names, "logs")
    found = [header for header in headers if isinstance(header, EvalLog)]
    return [header for header in found if header.status == "success" and header.results]


def header_of(name: str) -> EvalLog | str:
    """Return the header of a log file, or the line that says why it can't be read."""
    try:
        return read_eval_log(name, header_only=True)
    except Exception as error:  # anything can be wrong with a file, and it must not hide the others
        return str(unreadable(name, error))


def reproduce(
    papers: Sequence[Published], headers: Sequence[EvalLog], names: Mapping[str, str] | None = None
) -> list[Reproduced]:
    """Return every published number with the newest log of its task and model, where there is one.

    `consistent`: the number lies in the log's 95 % interval. A log on other data than the released set is shown, but
    read as `other data`. `names` says which published model an evaluated one stands for, where its id does not tell.
    Raises DataError for an unknown published model in `names`.
    """
    given = names or {}
    known = {model for paper in papers for model in paper.models}
    for model in given.values():
        if model not in known:
            raise DataError(f"reproduce: unknown published model '{model}'; known: {', '.join(sorted(known))}")
    result = []
    for paper in papers:
        newest: dict[tuple[str, str], EvalLog] = {}
        for header in sorted(headers, key=lambda one: one.eval.created):
            stands_for = given.get(header.eval.model) or paper.model_of(header.eval.model)
            if stands_for:
                newest[header.eval.task.rpartition("/")[2], stands_for] = header
        result += [_reproduced(paper, row, newest.get((row.task, row.model))) for row in paper.rows]
    return result


def _reproduced(paper: Published, row: PublishedRow, header: EvalLog | None) -> Reproduced:
    nan = math.nan
    if header is None or header.results is None:
        return Reproduced(paper.paper, row, nan, nan, nan, "needs a log", "")
    newest = scores_of([score.name for score in header.results.scores], paper.scorers)[-1:]
    scores = [score for score in header.results.scores if score.name in newest]
    values = {key: metric.value for score in scores for key, metric in score.metrics.items()}
    measured, low, high = (values.get(f"{row.metric}{end}", nan) for end in ("", "_ci_low", "_ci_high"))
    released = (header.eval.metadata or {}).get("data") == "hub"
    reading = _reading(row.value, measured, low, high) if released else "other data"
    return Reproduced(paper.paper, row, measured, low, high, reading, str(header.location))


def _reading(published: float, measured: float, low: float, high: float) -> Reading:
    if math.isnan(measured):
        return "undefined"
    if math.isnan(low):
        return "no interval"
    return "consistent" if low <= published <= high else "not consistent"
