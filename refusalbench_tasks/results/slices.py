"""Parts of runs by what their rows are: source document, topic, class, a knob of made rows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    import pandas as pd

_SMALL, _MOST, _NAMED = 20, 60, 12
"""Parts of fewer base questions are small; a column of more values is no slice; so many values an error names."""
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


def is_small(part: Run) -> bool:
    """Whether a part has too few base questions to say much."""
    return bool(part.main[part.unit].nunique() < _SMALL)


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
