"""Treatments beside the plain prompt, and a threshold of confidence that is chosen on
half of the questions.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.results.comparison import Comparison, Pair
from refusalbench_tasks.results.interval_rules import safe_estimate
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, cluster_sums
from refusalbench_tasks.stats.estimate import ratio_estimates
from refusalbench_tasks.stats.proportion import ratios
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

METRICS = (
    "false_refusal_rate",
    "missed_refusal_rate",
    "category_accuracy",
    "calibrated_refusal_score",
)
_RATES = METRICS[:2]


def treated_pairs(runs: Sequence[Run]) -> list[Pair]:
    """Return each treated run with the plain one of its model, task, scoring and rows;
    none without such a pair.
    """
    plain = {
        _arm(run): run
        for run in runs
        if run.refusal and not run.treatment and not run.baseline
    }
    return [
        (plain[_arm(run)], run) for run in runs if run.treatment and _arm(run) in plain
    ]


def _arm(run: Run) -> tuple[str, ...]:
    return run.model, *RunView(run).group_key


def treatment_tables(made: Sequence[Comparison]) -> tuple[Table, Table]:
    """Return the arms with their rates and costs, and the paired differences from the
    plain prompt with 95 % CI.

    p is that of the sign-flip test by question, adjusted by Holm over all tests of the
    comparisons.
    """
    arms: dict[str, TableRow] = {}
    gaps: list[TableRow] = []
    for one in made:
        known = {d.metric: d for d in one.differences}
        for run, side in ((one.a, "a"), (one.b, "b")):
            values = {
                name: getattr(known[name], side) for name in METRICS if name in known
            }
            costs = {
                f"{name} a row": float(run.replies[name].mean())
                for name in ("calls", "tokens")
            }
            about = {"model": run.model, "treatment": run.treatment or "plain prompt"}
            arms.setdefault(run.name, about | values | costs)
        gaps += [
            {
                "model": one.b.model,
                "treatment": one.b.treatment,
                "metric": name,
                "difference": d.difference.value,
                "95 % low": d.difference.low,
                "95 % high": d.difference.high,
                "n": int(d.n),
            }
            for name in METRICS
            if (d := known.get(name)) is not None
        ]
        arms[one.b.name] |= {
            f"p (Holm), {test.name}": test.p_holm for test in one.tests
        }
    columns = list(dict.fromkeys(name for row in arms.values() for name in row))
    rows = [{name: row.get(name) for name in columns} for row in arms.values()]
    return (
        Table("treatments", "Treatments", rows),
        Table("treatment_differences", "Treated minus plain, over the same rows", gaps),
    )


def threshold_table(run: Run) -> Table:
    """Return false and missed refusals on half of the questions, without and with the
    threshold that the others chose.

    It has the lowest mean of both rates there; of equal ones the lowest is taken. The
    halves are drawn by a digest of the base question. Raises DataError for a run
    without stated confidences, and for a half without answerable or unanswerable rows.
    """
    table = run.main[run.main["outcome"] != "unscored"].reset_index(drop=True)
    answered = (table["predicted"] == Label.ANSWER.value) & table["confidence"].notna()
    if not answered.any():
        raise DataError(
            f"{run.name}: no answer has a stated confidence; run it with -T"
            " confidence=true"
        )
    first = np.array(
        [
            sha256(f"0 {cluster}".encode()).digest()[0] % 2 == 0
            for cluster in table["cluster"]
        ]
    )
    levels = [0.0, *sorted(set(table["confidence"][answered])), 1.01]
    sums = [_cells(table, level)[first].sum(axis=0) for level in levels]
    errors = [ratios(one[:2], one[2:]).mean() for one in sums]
    if np.isnan(errors).any():
        raise DataError(
            f"{run.name}: half of the questions have no answerable or no unanswerable"
            " rows; give more"
        )
    best = levels[int(np.argmin(errors))]
    rest = table[~first].reset_index(drop=True)
    places = cluster_index(rest, run.cluster)
    rows: list[TableRow] = []
    for level in (0.0, best):
        for name, found in ratio_estimates(
            _RATES, cluster_sums(_cells(rest, level), places)
        ).items():
            one = safe_estimate(found, True)
            known = {
                "value": one.value,
                "95 % low": one.low,
                "95 % high": one.high,
                "n": int(one.n),
            }
            rows.append({"answers below": level, "metric": name} | known)
    title = (
        f"A threshold chosen on {first.sum()} rows, on the {len(rest)} rows of other"
        " questions"
    )
    return Table("threshold", title, rows)


def _cells(table: "pd.DataFrame", threshold: float) -> Floats:
    """Return for each row whether it is a false and a missed refusal, then whether it
    can be one; shape (n, 4).
    """
    answerable = (table["expected"] == Label.ANSWER.value).to_numpy()
    low = (table["predicted"] == Label.ANSWER.value) & (table["confidence"] < threshold)
    refused = ((~table["predicted"].isin(["", Label.ANSWER.value])) | low).to_numpy()
    missed = ((table["predicted"] == Label.ANSWER.value) & ~low).to_numpy()
    return np.column_stack(
        [refused & answerable, missed & ~answerable, answerable, ~answerable]
    ).astype(float)
