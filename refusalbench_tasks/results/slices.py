"""Parts of runs by what their rows are: source document, topic, domain, a knob of made rows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.measures import measures
from refusalbench_tasks.results.show import Shown, counts
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.terminal import one_line

if TYPE_CHECKING:
    import pandas as pd

DOCUMENT = "source_document"
_SMALL, _MOST = 20, 60
"""Parts of fewer base questions are marked as small; a column with more parts than the second is no slice."""


def sliced(group: Sequence[Shown], column: str) -> list[Shown]:
    """Return a line for each run and value of a column, in the order of the values; small parts are marked.

    Rows without a value are in none. Raises DataError for a column that no row has, or that has too many values.
    """
    found = []
    for one in group:
        values = _values(one.run, column)
        there = sorted({value for value in values if value})
        if not 0 < len(there) <= _MOST:
            why = "no row has a value" if not there else f"{len(there)} values are too many, at most {_MOST}"
            raise DataError(f"--by {column}: {why} in {one.run.name}; try class, intensity, domain, topic or document")
        for value in there:
            part = one.run.of_rows(values == value)
            small = " (small)" if part.main["cluster" if part.refusal else "question"].nunique() < _SMALL else ""
            name = f"{one.name}, {one_line(value)}{small}"
            found.append(replace(one, run=part, name=name, found=measures(part), counts=counts(part)))
    return found


def _values(run: Run, column: str) -> "pd.Series[str]":
    """Return the value of each reply as text, "" for none."""
    replies = run.replies
    if column in ("document", DOCUMENT):
        return replies[DOCUMENT].fillna("").astype(str)
    if column in replies and column not in ("knobs", "accepted", "graders"):
        return replies[column].fillna("").astype(str)
    if "knobs" in replies:
        return replies["knobs"].map(lambda knobs: _text(knobs.get(column, "")))
    return replies["outcome"].map(lambda _: "")


def _text(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, int | float) else value
