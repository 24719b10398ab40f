"""The refusal rates of groups of rows: by class, intensity, generator, domain and so on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.refusal import WIDTH, defined_metrics, denominators, rates
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.metrics.sample_facts import GROUPS
from refusalbench_tasks.outcome import Cluster
from refusalbench_tasks.stats.cluster import Floats, sums_at
from refusalbench_tasks.stats.uncertainty import ENDINGS, uncertainty

_GROUPS = ("class", "intensity", "generator", "domain", "type", "complexity")
_BY_GROUP = ("answer_accuracy", "refusal_accuracy", "false_refusal_rate", "correct_refusal_rate")
_WITH_INTERVALS = ("class", "intensity", "domain")
"""The groups whose rates have standard errors and intervals."""


def by_group(
    every: RefusalRows, resamples: int = 1000, seed: int = 0, cluster: Cluster | None = None
) -> dict[str, float]:
    """Return four rates and n by class, intensity, generator, domain ..., as `GROUP/METRIC`; only groups that occur.

    Those by class, intensity and domain come with their own n, standard errors and intervals. The missed refusal rate
    and the rest follow from a log (`refusalbench show`).
    """
    rows = every.perturbed
    kinds_of = {name: _Grouped(*rows.grouped_kinds(attrgetter(f"facts.{GROUPS[name]}"))) for name in _GROUPS}
    values = {name: _group_rates(rows, of) for name, of in kinds_of.items()}
    resampled = [kinds_of[name] for name in _WITH_INTERVALS if values[name]]
    sure = _of_groups(rows, resampled, resamples, seed, cluster) if resampled else {}
    result: dict[str, float] = {}
    for name, found in values.items():
        result |= found
        if name in _WITH_INTERVALS:
            keys = [key for key in found if not key.endswith("/n")]
            result |= {f"{key}_{ending}": sure[f"{key}_{ending}"] for key in keys for ending in ("n", *ENDINGS)}
    return result


def _metrics(rows: RefusalRows) -> tuple[str, ...]:
    defined = defined_metrics(rows.grounded, rows.codes)
    return tuple(name for name in _BY_GROUP if name in defined)


def _group_rates(rows: RefusalRows, of: "_Grouped") -> dict[str, float]:
    """Return the rates that each group has, and its n, as `GROUP/METRIC`."""
    if not len(rows):
        return {}
    result: dict[str, float] = {}
    metrics = _metrics(rows)
    numbers = np.bincount(rows.which, minlength=len(rows.kinds))
    totals, ns = of.totals(rows), np.bincount(of.kinds, numbers, len(of.names))
    values = rates(totals, rows.protocol, metrics)
    for group, n, of_group in zip(of.names, ns, values, strict=True):
        if group:
            named = dict(zip(metrics, of_group.tolist(), strict=True))
            result |= {f"{group}/{metric}": value for metric, value in named.items() if not math.isnan(value)}
            result[f"{group}/n"] = float(n)
    return result


@dataclass(frozen=True)
class _Grouped:
    """The groups of one kind, in the order of their names, and the group of each kind of rows."""

    names: Sequence[str]
    kinds: NDArray[np.intp]

    def totals(self, rows: RefusalRows) -> Floats:
        """Return the sum of the count vectors of each group, shape (groups, WIDTH)."""
        numbers = np.bincount(rows.which, minlength=len(rows.kinds))
        return sums_at(rows.vectors * numbers[:, None], self.kinds, len(self.names))


def _of_groups(
    rows: RefusalRows,
    grouped: Sequence[_Grouped],
    resamples: int,
    seed: int,
    cluster: Cluster | None,
) -> dict[str, float]:
    """Return n and uncertainty of the rates of groups of every kind, from one resampling of everything."""
    units = rows.units_to_draw(cluster)
    names = [name for of in grouped for name in of.names]
    of_units = ((of.kinds[units.which], len(of.names)) for of in grouped)
    sums = rows.group_sums(units.places, *of_units, which=units.which)
    totals = np.concatenate([of.totals(rows) for of in grouped])
    metrics = _metrics(rows)

    def statistic(totals: Floats) -> Floats:
        shape = totals.shape[:-1]
        return rates(totals.reshape(*shape, len(names), WIDTH), rows.protocol, metrics).reshape(*shape, -1)

    keys = [f"{group}/{metric}" for group in names for metric in metrics]
    found = uncertainty(keys, sums, statistic, resamples, seed, numbers=units.numbers)
    for group, total in zip(names, totals, strict=True):
        ns = denominators(total, rows.protocol)
        found |= {f"{group}/{metric}_n": ns[metric] for metric in metrics}
    return found
