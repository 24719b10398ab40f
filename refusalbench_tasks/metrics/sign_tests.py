"""Whether a low confidence, or hedging, tells the wrong answers of BLUFF-1000 from the
right ones.
"""

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.stats.areas import weighted_areas
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, bootstrap_of_weights
from refusalbench_tasks.stats.estimate import NAN, Estimate, Estimates
from refusalbench_tasks.stats.proportion import wilson

from .hedging_columns import Columns


def sign_estimates(
    columns: Columns,
    places: ClusterIndex,
    resamples: int,
) -> Estimates:
    """Return AUROC and AURC of confidence and of hedging density for being wrong, with
    95 % intervals by question.

    Over the graded answers of the hedging metrics for which the sign is known; the risk
    is 1 - correctness. A sign that tells nothing has 0.5, and the mean risk. Ours.
    """
    signs = {"confidence": -columns["confidence"], "hedging": columns["density"]}
    result: Estimates = {}
    for name, sign in signs.items():
        chosen = (columns["graded"] == 1) & ~np.isnan(sign)
        areas = _areas(
            sign[chosen],
            columns["correctness"][chosen],
            columns["wrong"][chosen],
            places[chosen],
            resamples,
        )
        result |= {
            f"{measure}_{name}": area
            for measure, area in zip(("auroc", "aurc"), areas, strict=True)
        }
    return result


def _areas(
    sign: Floats,
    grade: Floats,
    wrong: Floats,
    places: ClusterIndex,
    resamples: int,
) -> list[Estimate]:
    """Return AUROC and AURC.

    Where one is exactly 0 or 1, every resample gives the same, and Wilson's interval
    stands: of AUROC with the wrong-right pairs of different questions that share none
    as n, of AURC, then the mean risk, with the questions as n.
    """
    names, index = np.unique(places, return_inverse=True)
    units = len(names)
    if not units:
        return [Estimate()] * 2

    def statistic(weights: Floats) -> Floats:
        # areas are no functions of sums, so what is resampled is how often each
        # question counts
        return weighted_areas(
            sign,
            wrong,
            1 - grade,
            weights[..., index],
        )

    interval = bootstrap_of_weights(units, statistic, resamples)
    ns = _disjoint_pairs(index[wrong == 1], index[wrong == 0]), units
    result = []
    for i, value in enumerate(statistic(np.ones(units)).tolist()):
        bounds = float(interval.low[i]), float(interval.high[i])
        if units > 1 and value in (0.0, 1.0):
            bounds = wilson(value * ns[i], ns[i])
        result.append(
            Estimate(
                value,
                len(sign),
                NAN,
                *bounds,
                float(interval.stderr[i]),
                units,
            )
        )
    return result


def _disjoint_pairs(wrong: NDArray[np.intp], right: NDArray[np.intp]) -> int:
    """Return how many pairs of a wrong and a right answer there can be, each of two
    clusters and none sharing one.

    In a fixed choice of k such pairs the pairs in order are binomial, k draws at the
    chance that AUROC estimates: an AUROC of 1 has all k in order.
    """
    with_wrong = set(wrong.tolist())
    with_right = set(right.tolist())
    return min(
        len(with_wrong),
        len(with_right),
        len(with_wrong | with_right) // 2,
    )
