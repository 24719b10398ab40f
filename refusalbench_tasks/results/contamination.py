"""What a model loses from a static to a fresh set of rows (paper, App. B)."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import METRICS, rates, sizes
from refusalbench_tasks.metrics.refusal_counts import count_vectors
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.results.comparison import Draws
from refusalbench_tasks.results.measures import main_names
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, bootstrap_draws, cluster_sums
from refusalbench_tasks.stats.sample_size import static_error
from refusalbench_tasks.tables import TableRow


class Gap(NamedTuple):
    """What a model loses by metric; the error that a static set of this size promises after such a drift; and whether
    both sets have the same shares of classes and intensities, so that a drop is not due to these.
    """

    drops: list[TableRow]
    promise: TableRow
    same_mix: bool


def contamination_gap(static: Run, fresh: Run, draws: Draws) -> Gap:
    """Return what a model loses from a static to a fresh set, each set resampled by itself.

    What is resampled are base questions, or the rows of a run that was told so. A drop can come from contamination or
    from a fresh set that is harder; a second model that cannot have seen the static set tells them apart. The promised
    error is drift + sqrt(log(2 / 0.05) / 2n) (paper, App. B), with the largest drop of an accuracy as the drift and the
    base questions of the static set as its n. Raises DataError if the logs are of different tasks, models or protocols,
    or without rows.
    """
    for what in ("task", "model"):
        one, other = getattr(static, what), getattr(fresh, what)
        if one != other:
            raise DataError(f"static and fresh must be of one {what}: static is of {one}, fresh of {other}")
    _check_alike([static, fresh])
    (first, drawn), (second, drawn_fresh) = (_values(run, draws, k) for k, run in enumerate((static, fresh)))
    n, n_fresh = (sizes(count_vectors(main_rows(run.replies)).sum(axis=0), run.protocol) for run in (static, fresh))
    drops: list[TableRow] = []
    for name in main_names(static):
        i = METRICS.index(name)
        low, high = _interval(drawn[:, i] - drawn_fresh[:, i])
        one, other = float(first[i]), float(second[i])
        drops.append({
            "metric": name, "static": one, "fresh": other, "drop": one - other, "95 % low": low, "95 % high": high,
            "n static": int(n[i]), "n fresh": int(n_fresh[i]),
        })  # fmt: skip
    # the theorem is about independent items: rows of one question are one
    questions = static.main["cluster"].nunique()
    known = [row["drop"] for row in drops if not math.isnan(row["drop"]) and row["metric"].endswith("accuracy")]
    promised = static_error(0.05, questions, max(0.0, *known)) if known else math.nan
    about: TableRow = {"rows static": len(static.main), "rows fresh": len(fresh.main), "questions": questions}
    return Gap(drops, about | {"promised error": promised}, _mix(static) == _mix(fresh))


def _mix(run: Run) -> dict[tuple[str, str], Fraction]:
    """Return the share of each class and intensity among the rows."""
    counts = run.main.groupby(["class", "intensity"]).size()
    return {(str(key[0]), str(key[1])): Fraction(int(n), int(counts.sum())) for key, n in counts.items()}


def _check_alike(runs: Sequence[Run]) -> None:
    for run in runs:
        if run.protocol != runs[0].protocol:
            raise DataError(f"{run.name}: scored by {run.protocol}, but {runs[0].name} by {runs[0].protocol}")
        if not len(run.main):
            raise DataError(f"{run.name}: no perturbed row")


def _values(run: Run, draws: Draws, place: int) -> tuple[Floats, Floats]:
    """Return the metrics of a run, shape (k,), and of each resample, shape (resamples, k)."""
    sums = cluster_sums(count_vectors(main_rows(run.replies)), _units(run))

    def statistic(totals: Floats) -> Floats:
        return rates(totals, run.protocol)

    return statistic(sums.sum(axis=0)), bootstrap_draws(sums, statistic, draws.resamples, draws.seed + place)


def _units(run: Run) -> list[str]:
    table = main_rows(run.replies)
    if run.cluster == "question":
        return list(table["cluster"])
    return [f"{item}#{epoch:09d}" for item, epoch in zip(table["item"], table["epoch"], strict=True)]


def _interval(draws: Floats) -> tuple[float, float]:
    some = draws[~np.isnan(draws)]
    return (float(np.quantile(some, 0.025)), float(np.quantile(some, 0.975))) if len(some) else (math.nan, math.nan)
