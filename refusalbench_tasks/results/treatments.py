"""Treatments beside the plain prompt, and a threshold of confidence that is chosen on
half of the questions.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pandas as pd

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import values
from refusalbench_tasks.tables import Table, TableRow, filled
from refusalbench_tasks.taxonomy import REFUSAL, Label

from .comparison import Comparison, Pair
from .interval_rules import interval_cells
from .run_view import RunView
from .table import Run

ERROR_RATES = ("false_refusal_rate", "missed_refusal_rate")
METRICS = (*ERROR_RATES, "category_accuracy", "calibrated_refusal_score")


def treated_pairs(runs: Sequence[Run]) -> list[Pair]:
    """Return each treated run with the plain one of its model, task, scoring and rows;
    none without such a pair.
    """
    plain = {
        _compared_as(run): run
        for run in runs
        if run.refusal and not run.treatment and not run.baseline
    }
    return [
        (plain[_compared_as(run)], run)
        for run in runs
        if run.treatment and _compared_as(run) in plain
    ]


def _compared_as(run: Run) -> tuple[str, ...]:
    return run.model, *RunView(run).group_key


def treatment_tables(comparisons: Sequence[Comparison]) -> tuple[Table, Table]:
    """Return the arms with their rates and costs, and the paired differences from the
    plain prompt with 95 % CI.

    p is that of the sign-flip test by question, adjusted by Holm over all tests of the
    comparisons.
    """
    arms: dict[str, TableRow] = {}
    gaps = []
    for comparison in comparisons:
        plain = comparison.a
        treated = comparison.b
        known = {gap.metric: gap for gap in comparison.differences}
        compared = [known[name] for name in METRICS if name in known]
        of_plain = {gap.metric: gap.a for gap in compared}
        arms.setdefault(plain.name, _arm(plain) | of_plain | _costs(plain))
        of_treated = {gap.metric: gap.b for gap in compared}
        tests = {f"p (Holm), {test.name}": test.p_holm for test in comparison.tests}
        arms[treated.name] = _arm(treated) | of_treated | _costs(treated) | tests
        for gap in compared:
            gaps.append(
                {
                    "model": treated.model,
                    "treatment": treated.treatment,
                    "metric": gap.metric,
                    "difference": gap.difference.value,
                    **interval_cells(gap.difference),
                    "n": int(gap.n),
                }
            )
    return (
        Table("treatments", "Treatments", filled(list(arms.values()))),
        Table("treatment_differences", "Treated minus plain, over the same rows", gaps),
    )


def _arm(run: Run) -> TableRow:
    return {"model": run.model, "treatment": run.treatment or "plain prompt"}


def _costs(run: Run) -> TableRow:
    means = run.replies[["calls", "tokens"]].mean()
    return {f"{name} a row": float(means[name]) for name in means.index}


def threshold_table(run: Run) -> Table:
    """Return false and missed refusals on half of the questions, without and with the
    threshold that the others chose.

    It has the lowest mean of both rates there; of equal ones the lowest is taken. The
    halves are drawn by a digest of the base question. Raises DataError for a run
    without stated confidences, and for a half without answerable or unanswerable rows.
    """
    table = run.main[run.main["outcome"] != "unscored"].reset_index(drop=True)
    answered = table["predicted"] == Label.ANSWER
    stated = table["confidence"][answered].dropna()
    if stated.empty:
        raise DataError(
            f"{run.name}: no answer has a stated confidence; run it with -T"
            " confidence=true"
        )
    digests = table["cluster"].map(lambda question: sha256(f"0 {question}".encode()))
    chooses = digests.map(lambda digest: digest.digest()[0] % 2 == 0).astype(bool)
    levels = [0.0, *sorted(set(stated)), 1.01]
    errors = []
    for level in levels:
        rates = values(
            _held_back(table[chooses], level),
            0,
            ERROR_RATES,
        )
        errors.append(sum(rate.value for rate in rates.values()))
    if np.isnan(errors).any():
        raise DataError(
            f"{run.name}: half of the questions have no answerable or no unanswerable"
            " rows; give more"
        )
    best = levels[int(np.argmin(errors))]
    rest = table[~chooses]
    rows = []
    for level in (0.0, best):
        view = RunView(replace(run, replies=_held_back(rest, level)))
        for name in ERROR_RATES:
            rate = view.number(name)
            row = {"answers below": level, "metric": name, "value": rate.value}
            rows.append(row | interval_cells(rate) | {"n": int(rate.n)})
    title = (
        f"A threshold chosen on {chooses.sum()} rows, on the {len(rest)} rows of other"
        " questions"
    )
    return Table("threshold", title, rows)


def _held_back(table: "pd.DataFrame", threshold: float) -> "pd.DataFrame":
    """Return replies of which answers below a confidence are refusals."""
    answered = table["predicted"] == Label.ANSWER
    low = answered & (table["confidence"] < threshold)
    return table.assign(predicted=table["predicted"].mask(low, REFUSAL))
