"""Parts of runs by what their rows are: source document, topic, class, a knob of made
rows.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.hedging_columns import hedging_columns
from refusalbench_tasks.metrics.refusal_counts import count_columns
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.metrics.reply_table import GROUPS
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.stats.cluster import (
    ClusterIndex,
    Floats,
    Mask,
    cluster_sums,
    places_of,
)
from refusalbench_tasks.tables import TableRow

from .interval_rules import FEWEST
from .read_offline import Bounds, run_bounds
from .table import Run

SMALL = 20
"""Parts of fewer base questions are small."""
_MOST = 60
"""A column of more values is no slice."""
_NAMED = 12
"""So many values an error names."""
_COLUMNS = {
    "document": "source_document",
    "type": "question_type",
    "complexity": "question_complexity",
}
"""Columns of the table that users know by another name."""
NEEDS_TEXTS = "retrieved_document"
"""The column of a run that was read with its texts alone."""
_NO_SLICES = ("knobs", "accepted", "graders", "factors", "terms")
_NAMES = (
    *GROUPS,
    "document",
    NEEDS_TEXTS,
    "arm",
    "topic",
    "ambiguity",
    "ambiguity_kind",
    "conflict_about",
)


def run_part(
    run: Run,
    where: Mapping[str, str],
    about: str,
) -> Run:
    """Return a run with the replies to rows of some groups alone.

    Raises DataError, which begins with `about`, for a group that there is not, and
    names those that there are.
    """
    for name, value in where.items():
        values = _column(run, name)
        there = sorted(set(values) - {""})
        if value not in there:
            names = ", ".join(map(one_line, there[:_NAMED])) or "none"
            more = " …" if len(there) > _NAMED else ""
            raise DataError(
                f"{about}, field 'where.{name}': no row of '{value}'; there are:"
                f" {names}{more}"
            )
        run = run.of_rows(values == value)
    return run


def values_of(
    run: Run,
    column: str,
    about: str,
) -> list[str]:
    """Return the values of a column in order, without "".

    Raises DataError if no row has one, or there are too many.
    """
    there = sorted(set(_column(run, column)) - {""})
    if 0 < len(there) <= _MOST:
        return there
    why = "no row has a value"
    if there:
        why = f"{len(there)} values are too many, at most {_MOST}"
    names = {*_NAMES}.union(*run.replies.get("knobs", ()))
    fit = []
    for name in sorted(names):
        if 0 < len(set(_column(run, name)) - {""}) <= _MOST:
            fit.append(one_line(name))
    raise DataError(
        f"{about}: {why} in {run.name}; there are: {', '.join(fit) or 'none'}"
    )


def against_rest(run: Run, column: str) -> list[TableRow]:
    """Return for each value of a column how its replies differ from the run's others,
    with 95 % CI and p.

    Compared is which refuse wrongly and which answer wrongly; of `bluff`, which refuse
    and which are right.
    """
    table = run.main
    rows = list[TableRow]()
    whole = replace(run, replies=table)
    values = _column(whole, column).to_numpy()
    clusters = places_of(table["cluster"])
    if run.refusal:
        counts = count_columns(table.assign(protocol="paper"))
        names = ("false_refusal_rate", "missed_refusal_rate")
        columns = {name: RATES[name].value({"": counts}) for name in names}
    else:
        hedging = hedging_columns(table)
        names = ("refusal_rate", "answer_correctness")
        columns = {name: hedging[name] for name in names}
    for value in sorted(set(values) - {""}):
        is_part = pd.Series(values == value, index=table.index)
        sides = [run_bounds(whole.of_rows(mask)) for mask in (is_part, ~is_part)]
        for name, every in columns.items():
            known = ~np.isnan(every)
            inside = (values == value)[known]
            if inside.any() and not inside.all():
                difference = _difference(
                    every[known],
                    inside,
                    clusters[known],
                )
                about = {"part": one_line(value), "metric": name}
                bounds = _difference_bounds(
                    difference,
                    name,
                    sides,
                )
                rows.append(about | bounds | difference)
    return rows


def _difference_bounds(
    difference: TableRow,
    metric: str,
    sides: Sequence[Bounds],
) -> TableRow:
    """Return the lowest and the highest difference of a part to the rest that the
    bounds of both sides leave possible; unknown where all of both is known.
    """
    part, rest = sides
    if metric not in part and metric not in rest:
        return {"lowest": None, "highest": None}
    part_low, part_high = part.get(metric, [difference["value"]] * 2)
    rest_low, rest_high = rest.get(metric, [difference["rest"]] * 2)
    return {"lowest": part_low - rest_high, "highest": part_high - rest_low}


def _difference(
    each: Floats,
    inside: Mask,
    clusters: ClusterIndex,
) -> TableRow:
    """Return the means of both sides of some values in [0, 1], and their difference.

    The error is how far questions scatter about the mean of all (score test), so that a
    part in which all is right does not pass for sure. p and CI are Student's t with the
    questions of the smaller side; below `FEWEST` there is neither.
    """
    from scipy.stats import t

    part = float(each[inside].mean())
    rest = float(each[~inside].mean())
    weights = np.where(
        inside,
        1 / inside.sum(),
        -1 / (~inside).sum(),
    )
    scatter = cluster_sums(((each - each.mean()) * weights)[:, None], clusters)
    questions = min(len(np.unique(clusters[side])) for side in (inside, ~inside))
    error = np.nan
    if questions >= FEWEST:
        n = len(scatter)
        error = np.sqrt((scatter**2).sum() * n / (n - 1))
    gap = part - rest
    arm = t.ppf(0.975, questions - 1) * error
    return {
        "value": part,
        "rest": rest,
        "difference": gap,
        "95 % low": max(float(gap - arm), -1.0),
        "95 % high": min(float(gap + arm), 1.0),
        "n": int(inside.sum()),
        "p": float(2 * t.sf(abs(gap) / error, questions - 1)) if error else math.nan,
    }


def column_name(name: str) -> str:
    """Return the column of the table of replies that users know by a name."""
    return _COLUMNS.get(name, name)


def _column(run: Run, name: str) -> "pd.Series[str]":
    """Return the value of each reply as text, "" for none."""
    replies = run.replies
    column = column_name(name)
    if column in replies and column not in _NO_SLICES:
        return replies[column].fillna("").astype(str)
    if "knobs" in replies:
        values = replies["knobs"].map(lambda knobs: knobs.get(column, ""))
        return values.map(lambda knob: knob if isinstance(knob, str) else f"{knob:g}")
    return replies["outcome"].map(lambda _: "")
