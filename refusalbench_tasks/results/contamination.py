"""What a model loses from a released set to a fresh one."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import METRICS, rates, sizes
from refusalbench_tasks.metrics.refusal_counts import count_vectors
from refusalbench_tasks.metrics.reply_table import cluster_index, main_rows
from refusalbench_tasks.results.measures import main_names
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, bootstrap_draws, cluster_sums
from refusalbench_tasks.stats.sample_size import static_error


@dataclass(frozen=True)
class Drop:
    """One metric on the static and on the fresh set, and static - fresh with a 95 % interval."""

    metric: str
    static: float
    fresh: float
    drop: float
    low: float
    high: float
    n_static: float
    n_fresh: float


@dataclass(frozen=True)
class Gap:
    """The drops, and the error that a static set of this size promises if the world drifts by the largest drop."""

    drops: tuple[Drop, ...]
    n_static: int
    n_fresh: int
    questions: int
    """Base questions of the static set: the n of the bound."""
    promised: float
    same_mix: bool
    """Whether both sets have the same shares of classes and intensities, so that a drop is not due to these."""


def contamination_gap(static: Run, fresh: Run, resamples: int = 1000, seed: int = 0, delta: float = 0.05) -> Gap:
    """Return what a model loses from a static to a fresh set, each set resampled by itself.

    What is resampled are base questions, or the rows of a run that was told so. A drop can come from contamination or
    from a fresh set that is harder; a second model that cannot have seen the static set tells them apart. `promised` is
    drift + sqrt(log(2 / delta) / 2n) (paper, App. B), with the largest drop of an accuracy as the drift and the base
    questions of the static set as its n. Raises DataError if the logs are of different tasks, models or protocols, or
    without rows.
    """
    if static.task != fresh.task:
        raise DataError(f"static and fresh must be of one task: static is of {static.task}, fresh of {fresh.task}")
    if static.model != fresh.model:
        raise DataError(f"static and fresh must be of one model: static is of {static.model}, fresh of {fresh.model}")
    if static.protocol != fresh.protocol:
        raise DataError(f"static is scored by {static.protocol}, fresh by {fresh.protocol}")
    if not len(static.main) or not len(fresh.main):
        raise DataError("static or fresh has no perturbed row")
    first, second = _sums(static), _sums(fresh)
    one, other = rates(first.sum(axis=0), static.protocol), rates(second.sum(axis=0), static.protocol)
    draws = [
        bootstrap_draws(sums, lambda totals: rates(totals, static.protocol), resamples, seed + k)
        for k, sums in enumerate((first, second))
    ]
    ns = [sizes(sums.sum(axis=0), static.protocol) for sums in (first, second)]
    drops = []
    for name in main_names(static):
        i = METRICS.index(name)
        gaps = draws[0][:, i] - draws[1][:, i]
        gaps = gaps[~np.isnan(gaps)]
        low, high = np.quantile(gaps, (0.025, 0.975)) if len(gaps) else (np.nan, np.nan)
        values = (float(one[i]), float(other[i]), float(one[i] - other[i]), float(low), float(high))
        drops.append(Drop(name, *values, float(ns[0][i]), float(ns[1][i])))
    known = [drop.drop for drop in drops if not math.isnan(drop.drop) and drop.metric.endswith("accuracy")]
    # the theorem is about independent items: rows of one question are one
    questions = static.main["cluster"].nunique()
    promised = static_error(delta, questions, max(0.0, *known)) if known else float("nan")
    return Gap(tuple(drops), len(static.main), len(fresh.main), questions, promised, _mix(static) == _mix(fresh))


def _mix(run: Run) -> dict[tuple[str, str], Fraction]:
    """Return the share of each class and intensity among the rows."""
    counts = run.main.groupby(["class", "intensity"]).size()
    return {(str(key[0]), str(key[1])): Fraction(int(n), int(counts.sum())) for key, n in counts.items()}


def _sums(run: Run) -> Floats:
    rows = main_rows(run.replies)
    return cluster_sums(count_vectors(rows), cluster_index(rows))
