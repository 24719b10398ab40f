"""Treatments beside the plain prompt, and a threshold of confidence that is chosen on half of the questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.frame import cluster_index
from refusalbench_tasks.results.careful import careful
from refusalbench_tasks.results.comparison import Comparison, Pair
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, cluster_sums
from refusalbench_tasks.stats.estimate import Estimate, ratio_estimates
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

PLAIN = "plain prompt"
METRICS = ("false_refusal_rate", "missed_refusal_rate", "category_accuracy", "calibrated_refusal_score")
_RATES = METRICS[:2]


def treated_pairs(runs: Sequence[Run]) -> list[Pair]:
    """Return each treated run with the plain one of its model, task, scoring and rows; none without such a pair."""
    plain = {_arm(run): run for run in runs if run.refusal and not run.treatment and not run.baseline}
    return [(plain[_arm(run)], run) for run in runs if run.treatment and _arm(run) in plain]


def _arm(run: Run) -> tuple[str, ...]:
    return run.task, run.model, run.fingerprint, run.protocol


def treatment_tables(made: Sequence[Comparison]) -> tuple[Table, Table]:
    """Return the arms with their rates and costs, and the paired differences from the plain prompt with 95 % CI.

    p is that of the sign-flip test by question, adjusted by Holm over all tests of the comparisons.
    """
    arms: dict[str, TableRow] = {}
    gaps: list[TableRow] = []
    for one in made:
        known = {d.metric: d for d in one.differences}
        for run, side in ((one.a, "a"), (one.b, "b")):
            values = {name: getattr(known[name], side) for name in METRICS if name in known}
            arms.setdefault(run.name, {"model": run.model, "treatment": run.treatment or PLAIN} | values | _costs(run))
        about: TableRow = {"model": one.b.model, "treatment": one.b.treatment}
        gaps += [
            about | {"metric": name, "difference": d.difference.value, "95 % low": d.difference.low,
                     "95 % high": d.difference.high, "n": int(d.n)}
            for name in METRICS if (d := known.get(name)) is not None
        ]  # fmt: skip
        p = {f"p (Holm), {test.name}": test.p_holm for test in one.tests}
        arms[one.b.name] |= p
    columns = list(dict.fromkeys(name for row in arms.values() for name in row))
    rows = [{name: row.get(name) for name in columns} for row in arms.values()]
    return (
        Table("treatments", "Treatments", rows, names=columns),
        Table("treatment_differences", "Treated minus plain, over the same rows", gaps),
    )


def _costs(run: Run) -> TableRow:
    replies = run.replies
    return {"calls a row": float(replies["calls"].mean()), "tokens a row": float(replies["tokens"].mean())}


@dataclass(frozen=True)
class ChosenThreshold:
    """A threshold of confidence below which answers become refusals, and what it does on rows that did not choose it.

    `chosen_on` and `kept` are the numbers of rows of the two halves.
    """

    threshold: float
    chosen_on: int
    kept: int
    plain: dict[str, Estimate]
    treated: dict[str, Estimate]


def choose_threshold(run: Run, resamples: int = 1000, seed: int = 0) -> ChosenThreshold:
    """Return the threshold with the lowest mean of both error rates on half of the questions, applied to the others.

    The halves are drawn by a digest of the base question and the seed. Of equal thresholds the lowest is taken. Raises
    DataError for a run without stated confidences, and for a half without answerable or unanswerable rows.
    """
    table = run.main[run.main["outcome"] != "unscored"].reset_index(drop=True)
    answered = (table["predicted"] == Label.ANSWER.value) & table["confidence"].notna()
    if not answered.any():
        raise DataError(f"{run.name}: no answer has a stated confidence; run it with -T confidence=true")
    first = np.array([_half(cluster, seed) for cluster in table["cluster"]])
    levels = [0.0, *sorted(set(table["confidence"][answered])), 1.01]
    errors = [_totals(_cells(table, level)[first]).mean() for level in levels]
    if np.isnan(errors).any():
        raise DataError(
            f"{run.name}: a half of the questions has no answerable or no unanswerable rows; give more rows"
        )
    best = levels[int(np.argmin(errors))]
    rest = table[~first].reset_index(drop=True)
    places = cluster_index(rest, run.cluster)

    def rates(level: float) -> dict[str, Estimate]:
        found = ratio_estimates(_RATES, cluster_sums(_cells(rest, level), places), resamples, seed)
        return {name: careful(one, True) for name, one in found.items()}

    return ChosenThreshold(best, int(first.sum()), len(rest), rates(0.0), rates(best))


def _half(cluster: str, seed: int) -> bool:
    return sha256(f"{seed} {cluster}".encode()).digest()[0] % 2 == 0


def _cells(table: "pd.DataFrame", threshold: float) -> Floats:
    """Return for each row whether it is a false and a missed refusal, then whether it can be one; shape (n, 4)."""
    answerable = (table["expected"] == Label.ANSWER.value).to_numpy()
    low = (table["predicted"] == Label.ANSWER.value) & (table["confidence"] < threshold)
    refused = ((~table["predicted"].isin(["", Label.ANSWER.value])) | low).to_numpy()
    missed = ((table["predicted"] == Label.ANSWER.value) & ~low).to_numpy()
    return np.column_stack([refused & answerable, missed & ~answerable, answerable, ~answerable]).astype(float)


def _totals(cells: Floats) -> Floats:
    total = cells.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rates: Floats = total[:2] / total[2:]
    return rates


def threshold_table(chosen: ChosenThreshold) -> Table:
    """Return both error rates of the half that did not choose, without and with the threshold."""
    rows: list[TableRow] = [
        {"answers below": level, "metric": name, "value": one.value, "95 % low": one.low, "95 % high": one.high,
         "n": int(one.n)}
        for level, found in ((0.0, chosen.plain), (chosen.threshold, chosen.treated))
        for name, one in found.items()
    ]  # fmt: skip
    title = f"A threshold chosen on {chosen.chosen_on} rows, on the {chosen.kept} rows of other questions"
    return Table("threshold", title, rows)
