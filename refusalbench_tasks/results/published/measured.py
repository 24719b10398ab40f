"""What one log has in the place of a published number."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from inspect_ai.log import EvalLog, EvalScore

from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.metrics.refusal import METRICS, denominators, rates
from refusalbench_tasks.results.logs.run import RefusalRun, read_run
from refusalbench_tasks.results.logs.score_names import scores_of
from refusalbench_tasks.results.published.computed import COMPUTED
from refusalbench_tasks.results.published.papers import PublishedRow
from refusalbench_tasks.stats.cluster import bounded_bootstrap
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_LABELS = ("refusal_label",)


@dataclass(frozen=True)
class Measured:
    """A number, its 95 % interval and its n; NaN is what a log does not have."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: float = math.nan


def newest_score(header: EvalLog, scorers: Sequence[str]) -> EvalScore | None:
    """Return the newest of a log's scores by these scorers; None without one."""
    scores = header.results.scores if header.results else []
    newest = scores_of([score.name for score in scores], scorers)[-1:]
    return next((score for score in scores if score.name in newest), None)


def values_of(header: EvalLog, scorers: Sequence[str]) -> dict[str, float]:
    """Return the metrics of the newest scores, and the shares of the labels beside them."""
    found = [newest_score(header, names) for names in (_LABELS, scorers)]
    return {key: metric.value for score in found if score is not None for key, metric in score.metrics.items()}


def measure(row: PublishedRow, header: EvalLog, values: Mapping[str, float]) -> Measured:
    """Return what a log has in the place of a published number, from its metrics, or from its rows for a cell."""
    cell = _cell(row.subset)
    if cell is not None:
        return _of_rows(row.metric, cell, header)
    value = COMPUTED[row.metric](values, row.subset) if row.metric in COMPUTED else values.get(row.key, math.nan)
    low, high = (values.get(f"{row.key}_ci_{end}", math.nan) for end in ("low", "high"))
    return Measured(value, low, high, _n(row, values))


def _n(row: PublishedRow, values: Mapping[str, float]) -> float:
    names = (f"{row.key}_n", N_OF.get(row.metric, ""), f"{row.subset}/n")
    return next((values[name] for name in names if name in values), math.nan)


def _cell(subset: str) -> tuple[str, str] | None:
    """Return the class and the intensity that a subset names together; None for any other subset."""
    perturbation, _, intensity = subset.partition(" ")
    both = perturbation in set(PerturbationClass) and intensity in set(Intensity)
    return (perturbation, intensity) if both else None


def _of_rows(metric: str, cell: tuple[str, str], header: EvalLog) -> Measured:
    try:
        run = read_run(header.location, header)
    except Exception:  # anything can be wrong with a file whose header is readable: then there is no such number
        return Measured()
    if not isinstance(run, RefusalRun):
        return Measured()
    rows, i = run.main_rows, METRICS.index(metric)
    rows = rows.at(rows.mask(lambda row: (row.facts.perturbation, row.facts.intensity) == cell))
    totals, sums = rows.totals(), rows.unit_sums()
    interval = bounded_bootstrap(sums, lambda part: np.asarray(rates(part, run.protocol)))
    return Measured(
        float(rates(totals, run.protocol)[i]),
        float(interval.low[i]),
        float(interval.high[i]),
        denominators(totals, run.protocol)[metric],
    )
