"""Whether a low confidence, or hedging, tells the wrong answers of BLUFF-1000 from the right ones."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.hedging_index import WRONG_BELOW
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.selective import weighted_areas
from refusalbench_tasks.stats.cluster import Floats, Mask, bootstrap_of_weights
from refusalbench_tasks.stats.proportion import wilson

SIGNS: Mapping[str, Callable[[HedgingRows], Floats]] = {
    "confidence": lambda rows: -rows.column("confidence"),
    "hedging": lambda rows: rows.density,
}
"""What should be higher for a wrong answer than for a right one."""


def selective_values(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return AUROC and AURC of confidence and of hedging density for being wrong, with intervals by question and n.

    Over the graded answers of the hedging metrics for which the sign is known. AUROC is the chance that a wrong answer
    (correctness < 0.5) has the lower confidence, or hedges more densely, than a right one: 0.5 tells nothing. AURC is
    the mean risk, 1 - correctness, over coverages, the surest kept first; a sign that tells nothing has 1 -
    correctness there.

    Where an area is exactly 0 or 1, every resample gives the same, and Wilson's interval stands in its place: of AUROC
    with the wrong-right pairs of different questions that share none as n, of AURC, which is then the mean risk, with
    the questions as n. Ours.
    """
    result: dict[str, float] = {}
    for name, sign_of in SIGNS.items():
        sign, grade = sign_of(rows), rows.column("correctness")
        chosen = rows.graded & ~rows.left_out & ~np.isnan(sign)
        areas = _areas(rows, chosen, sign[chosen], grade[chosen], resamples, seed)
        for measure, (value, low, high) in zip(("auroc", "aurc"), areas, strict=True):
            key = f"{measure}_{name}"
            result |= {key: value, f"{key}_ci_low": low, f"{key}_ci_high": high, f"{key}_n": float(chosen.sum())}
    return result


def _areas(
    rows: HedgingRows, chosen: Mask, sign: Floats, grade: Floats, resamples: int, seed: int
) -> list[tuple[float, float, float]]:
    clusters, place = np.unique(np.array(rows.units_of(chosen), dtype=str), return_inverse=True)
    wrong = (grade < WRONG_BELOW).astype(float)

    def statistic(weights: Floats) -> Floats:
        # areas are no functions of sums, so what is resampled is how often each question counts
        return weighted_areas(sign, wrong, 1 - grade, weights[..., place])

    if not len(clusters):
        return [(float("nan"),) * 3] * 2
    values = statistic(np.ones(len(clusters)))
    interval = bootstrap_of_weights(len(clusters), statistic, resamples, seed)
    bounds = [(float(interval.low[i]), float(interval.high[i])) for i in range(2)]
    if len(clusters) > 1:
        ns = _disjoint_pairs(place[wrong == 1], place[wrong == 0]), len(clusters)
        bounds = [
            wilson(value * n, n) if value in (0.0, 1.0) else found
            for value, n, found in zip(values.tolist(), ns, bounds, strict=True)
        ]
    return [(float(value), *bound) for value, bound in zip(values, bounds, strict=True)]


def _disjoint_pairs(wrong: NDArray[np.intp], right: NDArray[np.intp]) -> int:
    """Return how many pairs of a wrong and a right answer there can be, each of two clusters and none sharing one.

    In a fixed choice of k such pairs the pairs in order are binomial, k draws at the chance that AUROC estimates: an
    AUROC of 1 has all k in order.
    """
    with_wrong, with_right = set(wrong.tolist()), set(right.tolist())
    return min(len(with_wrong), len(with_right), len(with_wrong | with_right) // 2)
