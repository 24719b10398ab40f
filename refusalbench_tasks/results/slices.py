"""Parts of runs by what their rows are: source document, topic, class, a knob of made rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.careful import FEWEST, without_interval
from refusalbench_tasks.results.comparison import differences, family_of, pairing
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.estimate import NAN
from refusalbench_tasks.tables import TableRow
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    import pandas as pd

_SMALL, _MOST, _NAMED = 20, 60, 12
"""Parts of fewer base questions are small; a column of more values is no slice; so many values an error names."""
_APART = ("false_refusal_rate", "missed_refusal_rate", "refusal_rate", "answer_correctness")
"""The metrics by which a part is compared with the rest, as far as they are compared at all."""
_COLUMNS = {"document": "source_document", "type": "question_type", "complexity": "question_complexity"}
"""Columns of the table that users know by another name."""


def part_of(run: Run, where: Mapping[str, str], about: str) -> Run:
    """Return a run with the replies to rows of some groups alone.

    Raises DataError, which begins with `about`, for a group that there is not, and names those that there are.
    """
    for name, value in where.items():
        values = _column(run, name)
        there = sorted(set(values) - {""})
        if value not in there:
            names = ", ".join(map(one_line, there[:_NAMED])) or "none"
            more = " …" if len(there) > _NAMED else ""
            raise DataError(f"{about}, field 'where.{name}': no row of '{value}'; there are: {names}{more}")
        run = run.of_rows(values == value)
    return run


def values_of(run: Run, column: str, about: str) -> list[str]:
    """Return the values of a column in order, without "". Raises DataError if no row has one, or there are too many."""
    there = sorted(set(_column(run, column)) - {""})
    if not 0 < len(there) <= _MOST:
        why = "no row has a value" if not there else f"{len(there)} values are too many, at most {_MOST}"
        raise DataError(f"{about}: {why} in {run.name}; try class, intensity, domain, topic or document")
    return there


def against_rest(run: Run, column: str) -> list[TableRow]:
    """Return for each value of a column how its replies differ from the run's others, with 95 % CI.

    `p` is that of the difference over its jackknife error by question (Student's t, with the questions of the smaller
    side); below `FEWEST` questions there is neither. Compared is which refuse wrongly and which answer wrongly; of
    `bluff`, which refuse and which are right.
    """
    from scipy.stats import t

    of, rows = pairing(run, run), list[TableRow]()
    values = _column(replace(run, replies=of.a), column)
    quantities = [
        one for one in family_of(run).quantities(of) if len(one.a) == len(of.a) and set(one.names) & set(_APART)
    ]
    for value in sorted(set(values) - {""}):
        inside = (values == value).to_numpy()[:, None]
        questions = min(of.a["cluster"][side].nunique() for side in (inside[:, 0], ~inside[:, 0]))
        for one in quantities:
            for gap in differences(replace(one, a=one.a * ~inside, b=one.b * inside)):
                if gap.metric not in _APART or not gap.n or not gap.n_b:
                    continue
                found = gap.difference if questions >= FEWEST else without_interval(replace(gap.difference, stderr=NAN))
                far = abs(found.value) / found.stderr if found.stderr > 0 else NAN
                rows.append({
                    "part": one_line(value), "metric": gap.metric, "value": gap.b, "rest": gap.a,
                    "difference": found.value, "95 % low": found.low, "95 % high": found.high, "n": int(gap.n_b),
                    "p": float(2 * t.sf(far, questions - 1)),
                })  # fmt: skip
    return rows


def is_small(part: Run) -> bool:
    """Whether a part has too few base questions to say much."""
    return bool(part.main["cluster"].nunique() < _SMALL)


def _column(run: Run, name: str) -> "pd.Series[str]":
    """Return the value of each reply as text, "" for none."""
    replies, column = run.replies, _COLUMNS.get(name, name)
    if column in replies and column not in ("knobs", "accepted", "graders", "factors", "terms"):
        return replies[column].fillna("").astype(str)
    if "knobs" in replies:
        return replies["knobs"].map(lambda knobs: _text(knobs.get(column, "")))
    return replies["outcome"].map(lambda _: "")


def _text(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, int | float) else value
