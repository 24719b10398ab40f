"""How often intervals cover the truth: simulations with rows that depend on each other."""

from collections.abc import Iterator

import numpy as np
import pytest

from refusalbench_tasks.metrics.refusal import main_metrics, rates, sizes
from refusalbench_tasks.metrics.refusal_counts import count_vectors
from refusalbench_tasks.results.comparison import Quantity, differences
from refusalbench_tasks.stats.cluster import Floats, bootstrap, cluster_sums, places_of
from tests.metrics.replies import A, M, X, some

QUESTIONS, ROWS, REPEATS = 100, 16, 400
MAIN = main_metrics(grounded=False)
SHAPES = [(A, A, True), (A, A, False), (A, X, None), (M, M, None), (M, A, None), (M, X, None)]
VECTORS = count_vectors(some(SHAPES))
"""The count vector of each kind of reply."""


def statistic(totals: Floats) -> Floats:
    return rates(totals, "paper", MAIN)


def world(rng: np.random.Generator, skill: float) -> tuple[Floats, list[str]]:
    """One model on 100 questions of 16 rows: how hard a question is, is shared by its rows (a beta distribution)."""
    ease = rng.beta(4 * skill, 4 * (1 - skill), QUESTIONS)
    kinds, clusters = [], []
    for k, easy in enumerate(ease):
        for i in range(ROWS):
            right, other = bool(rng.random() < easy), rng.random()
            if i < ROWS // 3:
                kinds.append(0 if right else 1 if other < 0.3 else 2)
            else:
                kinds.append(3 if right else 4 if other < 0.4 else 5)
            clusters.append(f"{k:03d}")
    return VECTORS[kinds], clusters


def truth(skill: float) -> Floats:
    """What the rates tend to with ever more questions."""
    n_a, n_u, wrong = ROWS // 3, ROWS - ROWS // 3, 1 - skill
    weights = [n_a * skill, n_a * wrong * 0.3, n_a * wrong * 0.7, n_u * skill, n_u * wrong * 0.4, n_u * wrong * 0.6]
    return statistic(np.array(weights) @ VECTORS)


def intervals(seed: int) -> Iterator[tuple[Floats, Floats]]:
    rng = np.random.default_rng(seed)
    for _ in range(REPEATS):
        vectors, clusters = world(rng, 0.6)
        found = bootstrap(cluster_sums(vectors, clusters), statistic, 500)
        yield found.low, found.high


@pytest.mark.slow
def test_intervals_of_the_main_metrics_cover_the_truth() -> None:
    right = truth(0.6)
    inside = np.mean([(low <= right) & (right <= high) for low, high in intervals(1)], axis=0)
    # 95 %, give or take three standard errors of 400 repeats and what percentile intervals lose at 100 clusters
    assert (inside > 0.905).all(), dict(zip(MAIN, inside, strict=True))
    assert (inside < 0.985).all(), dict(zip(MAIN, inside, strict=True))


@pytest.mark.slow
def test_intervals_of_paired_differences_cover_the_truth() -> None:
    right, rng, inside = truth(0.7) - truth(0.6), np.random.default_rng(3), []
    for _ in range(REPEATS):
        (a, clusters), (b, _) = world(rng, 0.6), world(rng, 0.7)
        of = Quantity(MAIN, a, b, places_of(clusters), statistic, lambda totals: sizes(totals, "paper", MAIN))
        found = [one.difference for one in differences(of, 500)]
        inside.append([one.low <= truth <= one.high for one, truth in zip(found, right, strict=True)])
    share = np.mean(inside, axis=0)
    assert (share > 0.905).all(), dict(zip(MAIN, share, strict=True))
