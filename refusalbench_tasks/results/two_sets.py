"""What another set of rows changes: the metrics of a model, and the order of models."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import METRICS, rates, sizes
from refusalbench_tasks.metrics.refusal_counts import WIDTH, count_vectors
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.results.comparison import Draws
from refusalbench_tasks.results.measures import main_names
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, bootstrap_draws, cluster_sums
from refusalbench_tasks.stats.rank_correlation import FEWEST, kendall_tau, order_p, spearman_rho
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
    (first, drawn), (second, drawn_fresh) = (_values([run], draws, k) for k, run in enumerate((static, fresh)))
    n, n_fresh = (sizes(count_vectors(main_rows(run.replies)).sum(axis=0), run.protocol) for run in (static, fresh))
    drops: list[TableRow] = []
    for name in main_names(static):
        i = METRICS.index(name)
        low, high = _interval(drawn[:, 0, i] - drawn_fresh[:, 0, i])
        one, other = float(first[0, i]), float(second[0, i])
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


class Ranks(NamedTuple):
    """The models that have a run on both sets, those on one alone, and how alike each metric puts them in order."""

    models: list[str]
    only_first: list[str]
    only_second: list[str]
    rows: list[TableRow]


def rank_comparison(first: Sequence[Run], second: Sequence[Run], draws: Draws) -> Ranks:
    """Return how alike two sets order the models that have runs on both: each model's newest run, no baselines.

    Intervals resample the questions of each set (or rows, as runs were told), the same ones for all models. So they say
    how sure the order of these models is, and nothing of other models; `p` is about models. Values that are drawn anew
    lie further apart than the measured ones, so where models are close the interval leans towards 0. Raises DataError
    if the runs of a set are over different rows, or all are not scored by one protocol and judge.
    """
    sides = [_of_one_set(runs) for runs in (first, second)]
    _check_alike([*sides[0].values(), *sides[1].values()])
    models = sorted(sides[0].keys() & sides[1].keys())
    only = [sorted(side.keys() - set(models)) for side in sides]
    names = main_names(next(iter(sides[0].values())))
    if not models:
        return Ranks(models, only[0], only[1], [_undefined(name, 0) for name in names])
    values, drawn = zip(
        *(_values([side[one] for one in models], draws, k) for k, side in enumerate(sides)), strict=True
    )
    rows = []
    for name in names:
        i = METRICS.index(name)
        rows.append(_correlation(name, *(one[:, i] for one in values), *(one[..., i] for one in drawn)))
    return Ranks(models, only[0], only[1], rows)


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


def _values(runs: Sequence[Run], draws: Draws, place: int) -> tuple[Floats, Floats]:
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
    drawn = bootstrap_draws(sums, statistic, draws.resamples, draws.seed + place)
    return values, drawn.reshape(draws.resamples, len(runs), len(METRICS))


def _units(run: Run) -> list[str]:
    table = main_rows(run.replies)
    if run.cluster == "question":
        return list(table["cluster"])
    return [f"{item}#{epoch:09d}" for item, epoch in zip(table["item"], table["epoch"], strict=True)]


def _undefined(name: str, models: int) -> TableRow:
    columns = ("Kendall's tau", "tau low", "tau high", "p of tau", "Spearman's rho", "rho low", "rho high")
    return {"metric": name, "models": models} | dict.fromkeys(columns, math.nan)


def _correlation(name: str, one: Floats, other: Floats, drawn: Floats, drawn_other: Floats) -> TableRow:
    """Return the order of the models on both sets by one metric: NaN for too few models, or where all are alike."""
    both = ~(np.isnan(one) | np.isnan(other))
    row = _undefined(name, int(both.sum()))
    if both.sum() < FEWEST:
        return row
    a, b, x, y = one[both], other[both], drawn[:, both], drawn_other[:, both]
    whole = ~(np.isnan(x).any(axis=-1) | np.isnan(y).any(axis=-1))
    row["Kendall's tau"], row["Spearman's rho"], row["p of tau"] = kendall_tau(a, b), spearman_rho(a, b), order_p(a, b)
    row["tau low"], row["tau high"] = _interval(kendall_tau(x[whole], y[whole]))
    row["rho low"], row["rho high"] = _interval(spearman_rho(x[whole], y[whole]))
    return {name: float(cell) if isinstance(cell, np.ndarray) else cell for name, cell in row.items()}


def _interval(draws: Floats) -> tuple[float, float]:
    some = draws[~np.isnan(draws)]
    return (float(np.quantile(some, 0.025)), float(np.quantile(some, 0.975))) if len(some) else (math.nan, math.nan)
