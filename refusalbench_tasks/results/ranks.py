"""Whether two data sets put the same models in the same order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import METRICS, rates
from refusalbench_tasks.metrics.refusal_counts import WIDTH, count_vectors
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.results.measures import main_names
from refusalbench_tasks.results.table import Run, read_logs
from refusalbench_tasks.stats.cluster import Floats, bootstrap_draws, cluster_sums
from refusalbench_tasks.stats.rank_correlation import FEWEST, kendall_tau, order_p, spearman_rho


@dataclass(frozen=True)
class RankCorrelation:
    """One metric's order of the models on both sets: NaN where there are too few models, or all are alike."""

    metric: str
    models: int
    """Models that have the metric on both sets."""
    tau: float
    tau_low: float
    tau_high: float
    rho: float
    rho_low: float
    rho_high: float
    p: float
    """Of tau, against orders that have nothing to do with each other."""


@dataclass(frozen=True)
class RankComparison:
    """The models that have a run on both sets, those on one alone, and the correlation by metric."""

    models: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    correlations: tuple[RankCorrelation, ...]


def runs_of_set(place: str) -> tuple[tuple[Run, ...], tuple[tuple[str, str], ...]]:
    """Return the runs of `nq` and `garage` at a place, and what was left out. Raises DataError if there is none."""
    found = read_logs([place], makers=False)
    runs = tuple(run for run in found.runs if run.refusal)
    if not runs:
        raise DataError(f"{place}: no run of nq or garage; only their models are put in order")
    return runs, found.left_out


def rank_comparison(
    first: Sequence[Run], second: Sequence[Run], resamples: int = 1000, seed: int = 0
) -> RankComparison:
    """Return how alike two sets order the models that have runs on both: each model's newest run, no baselines.

    Intervals resample the questions of each set (or rows, as runs were told), the same ones for all models. So they say
    how sure the order of these models is, and nothing of other models; `p` is about models. Values that are drawn anew
    lie further apart than the measured ones, so where models are close the interval leans towards 0. Raises DataError
    if the runs of a set are over different rows, or all are not scored by one protocol and judge.
    """
    sides = [_of_one_set(runs) for runs in (first, second)]
    _check_alike([*sides[0].values(), *sides[1].values()])
    models = tuple(sorted(sides[0].keys() & sides[1].keys()))
    only = [tuple(sorted(side.keys() - set(models))) for side in sides]
    names = main_names(next(iter(sides[0].values())))
    if not models:
        return RankComparison((), only[0], only[1], tuple(_undefined(name, 0) for name in names))
    (one, drawn), (other, drawn_other) = (
        _values([side[model] for model in models], resamples, seed + k) for k, side in enumerate(sides)
    )
    places = {name: METRICS.index(name) for name in names}
    found = tuple(
        _correlation(name, one[:, i], other[:, i], drawn[..., i], drawn_other[..., i]) for name, i in places.items()
    )
    return RankComparison(models, only[0], only[1], found)


def _of_one_set(runs: Sequence[Run]) -> dict[str, Run]:
    """Return the newest run of each model, without baselines."""
    newest = {run.model: run for run in sorted(runs, key=lambda run: run.created) if not run.baseline}
    if not newest:
        raise DataError("ranks: a set without a run of a model (baselines are no models)")
    one, *others = newest.values()
    for other in others:
        if other.fingerprint != one.fingerprint or not one.fingerprint:
            raise DataError(
                f"{other.name}: its rows ({other.fingerprint or 'unknown'}) are not those of {one.name} "
                f"({one.fingerprint or 'unknown'}); give each set's logs in a folder of their own"
            )
    return newest


def _check_alike(runs: Sequence[Run]) -> None:
    for run in runs:
        if run.protocol != runs[0].protocol:
            raise DataError(f"{run.name}: scored by {run.protocol}, but {runs[0].name} by {runs[0].protocol}")
        if not len(run.main):
            raise DataError(f"{run.name}: no perturbed row")


def _values(runs: Sequence[Run], resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Return the metrics of each run, shape (m, k), and of each resample, shape (resamples, m, k)."""
    rows = [count_vectors(main_rows(run.replies)) for run in runs]
    wide = [np.zeros((len(one), len(runs) * WIDTH)) for one in rows]
    for k, one in enumerate(rows):
        wide[k][:, k * WIDTH : (k + 1) * WIDTH] = one
    # one draw of questions serves all runs
    sums = cluster_sums(np.vstack(wide), [unit for run in runs for unit in _units(run)])

    def statistic(totals: Floats) -> Floats:
        apart = totals.reshape(*totals.shape[:-1], len(runs), WIDTH)
        result: Floats = rates(apart, runs[0].protocol).reshape(*totals.shape[:-1], len(runs) * len(METRICS))
        return result

    values = statistic(sums.sum(axis=0)).reshape(len(runs), len(METRICS))
    draws = bootstrap_draws(sums, statistic, resamples, seed).reshape(resamples, len(runs), len(METRICS))
    return values, draws


def _units(run: Run) -> list[str]:
    table = main_rows(run.replies)
    if run.cluster == "question":
        return list(table["cluster"])
    return [f"{item}#{epoch:09d}" for item, epoch in zip(table["item"], table["epoch"], strict=True)]


def _undefined(name: str, models: int) -> RankCorrelation:
    return RankCorrelation(name, models, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan)


def _correlation(name: str, one: Floats, other: Floats, drawn: Floats, drawn_other: Floats) -> RankCorrelation:
    both = ~(np.isnan(one) | np.isnan(other))
    if both.sum() < FEWEST:
        return _undefined(name, int(both.sum()))
    a, b, x, y = one[both], other[both], drawn[:, both], drawn_other[:, both]
    whole = ~(np.isnan(x).any(axis=-1) | np.isnan(y).any(axis=-1))
    tau_low, tau_high = _interval(kendall_tau(x[whole], y[whole]))
    rho_low, rho_high = _interval(spearman_rho(x[whole], y[whole]))
    tau, rho = float(kendall_tau(a, b)), float(spearman_rho(a, b))
    return RankCorrelation(name, int(both.sum()), tau, tau_low, tau_high, rho, rho_low, rho_high, order_p(a, b))


def _interval(draws: Floats) -> tuple[float, float]:
    some = draws[~np.isnan(draws)]
    return (float(np.quantile(some, 0.025)), float(np.quantile(some, 0.975))) if len(some) else (math.nan, math.nan)
