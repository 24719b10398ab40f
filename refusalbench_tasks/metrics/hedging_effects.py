"""What differs between the two arms of BLUFF-1000, with intervals and tests (beyond the paper)."""

import math
from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.hedging_index import asi
from refusalbench_tasks.metrics.hedging_rates import RATE_TABLE, named_cells, rate_cells, rate_statistics
from refusalbench_tasks.metrics.hedging_rows import HedgingRows, Pair, pair_arrays
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats, cluster_sums
from refusalbench_tasks.stats.difference import shares_interval
from refusalbench_tasks.stats.paired import swap_test
from refusalbench_tasks.stats.uncertainty import ratios_of, uncertainty


def effects(rows: HedgingRows, resamples: int, seed: int) -> dict[str, float]:
    """Return the paired differences, their 95 % intervals by question, and p for exchanging the arms.

    Once for the pairs that the paper keeps and once, as `..._with_refusals`, for every pair whose numbers are known.
    Beside each the n of pairs. `asi_null` is the mean index that arms without any effect would have.
    """
    pairs, protocol = rows.pairs, rows.protocol
    kept = [pair for pair in pairs if pair.dropped is None]
    every = [pair for pair in pairs if pair.dropped in (None, "refused", "unscored") and _measured(pair)]
    result = _paired(kept, protocol, "", resamples, seed) | _paired(every, protocol, "_with_refusals", resamples, seed)
    return result | _rates(rows, protocol, resamples, seed)


def _measured(pair: Pair) -> bool:
    needed = ("confidence", "hedges", "words")
    rows = [row for row in (pair.clear, pair.ambiguous) if row is not None]
    return len(rows) == 2 and not any(math.isnan(row.numbers[name]) for row in rows for name in needed)


def _paired(pairs: Sequence[Pair], protocol: Protocol, ending: str, resamples: int, seed: int) -> dict[str, float]:
    c1, c2, h1, h2 = pair_arrays(pairs)
    units = [pair.unit for pair in pairs]
    index, exchanged = asi(c1, c2, h1, h2, protocol), asi(c2, c1, h2, h1, protocol)
    values = {
        "asi": (index, exchanged),
        "confidence_drop": (c1 - c2, c2 - c1),
        "hedging_difference": (h2 - h1, h1 - h2),
    }
    names = [f"{measure}{ending}" for measure in values]
    cells = np.column_stack([*(one for one, _ in values.values()), np.ones((len(pairs), len(values)))])
    result: dict[str, float] = {f"pairs{ending}_n": len(pairs)}
    result |= uncertainty(names, cluster_sums(cells, units), ratios_of, resamples, seed, unbounded=names)
    for measure, (one, other) in values.items():
        name, test = f"{measure}{ending}", swap_test(one, other, resamples, seed, units)
        result |= {name: test.observed, f"{name}_p": test.p}
        if measure == "asi":
            result[f"{name}_null"] = test.expected
    return result


def _rates(rows: HedgingRows, protocol: Protocol, resamples: int, seed: int) -> dict[str, float]:
    """Return standard errors and intervals of the rates by resampling questions, or rows."""
    if not rows:
        return {}
    sums, names = cluster_sums(rate_cells(rows, protocol), rows.units), tuple(RATE_TABLE)
    # what is no share has no bound at 1
    unbounded = [name for name in names if not RATE_TABLE[name].share]

    def statistic(totals: Floats) -> Floats:
        return rate_statistics(totals, names)

    result = uncertainty(names, sums, statistic, resamples, seed, unbounded)
    if result["refusal_sensitivity_ci_low"] == result["refusal_sensitivity_ci_high"]:
        low, high = _difference_interval(sums)
        result |= {"refusal_sensitivity_ci_low": low, "refusal_sensitivity_ci_high": high}
    return result


def _difference_interval(sums: Floats) -> tuple[float, float]:
    """Return the interval of refusal sensitivity where every resample gives the same, which would claim certainty.

    From the Wilson intervals of the arms with the questions as n (Newcombe 1998, method 10).
    """
    (clear, questions), (ambiguous, others) = (_arm(sums, arm) for arm in ("clear", "ambiguous"))
    return shares_interval(clear, questions, ambiguous, others)


def _arm(sums: Floats, arm: str) -> tuple[float, float]:
    """Return the refusal rate of an arm, and the questions with a reply of which it is known whether it refuses."""
    named = named_cells(sums)
    refused, known = named[f"refused_{arm}"], named[f"known_{arm}"]
    return float(refused.sum() / known.sum()), float((known > 0).sum())
