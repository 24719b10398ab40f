"""How often intervals cover the truth: simulations with rows that depend on each other."""

from collections.abc import Iterator

import numpy as np
import pytest

from refusalbench_tasks.metrics.refusal import METRICS, count_rows, rates, sizes
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.results.comparison import Draws, Quantity, differences
from refusalbench_tasks.stats.cluster import Floats, bootstrap, cluster_sums, places_of
from refusalbench_tasks.taxonomy import Label

QUESTIONS, ROWS, REPEATS = 100, 16, 400
CHOSEN = [METRICS.index(name) for name in WITH_INTERVALS]


def statistic(totals: Floats) -> Floats:
    chosen: Floats = rates(totals)[..., CHOSEN]
    return chosen


def world(rng: np.random.Generator, skill: float) -> tuple[list[Outcome], list[str]]:
    """One model on 100 questions of 16 rows: how hard a question is, is shared by its rows (a beta distribution)."""
    ease = rng.beta(4 * skill, 4 * (1 - skill), QUESTIONS)
    outcomes, clusters = [], []
    for k, easy in enumerate(ease):
        for i in range(ROWS):
            right, other = bool(rng.random() < easy), rng.random()
            if i < ROWS // 3:
                label = Label.ANSWER if right or other < 0.3 else Label.OTHER
                outcomes.append(Outcome(Label.ANSWER, label, right if label is Label.ANSWER else None, str(k)))
            else:
                label = Label.MISSING if right else Label.ANSWER if other < 0.4 else Label.OTHER
                outcomes.append(Outcome(Label.MISSING, label, None, str(k)))
            clusters.append(f"{k:03d}")
    return outcomes, clusters


def truth(skill: float) -> Floats:
    """What the rates tend to with ever more questions."""
    n_a, n_u = ROWS // 3, ROWS - ROWS // 3
    wrong = 1 - skill
    outcomes = {
        (Label.ANSWER, Label.ANSWER, True): n_a * skill,
        (Label.ANSWER, Label.ANSWER, False): n_a * wrong * 0.3,
        (Label.ANSWER, Label.OTHER, None): n_a * wrong * 0.7,
        (Label.MISSING, Label.MISSING, None): n_u * skill,
        (Label.MISSING, Label.ANSWER, None): n_u * wrong * 0.4,
        (Label.MISSING, Label.OTHER, None): n_u * wrong * 0.6,
    }
    totals = sum(weight * count_rows([Outcome(*key, "x")])[0] for key, weight in outcomes.items())
    return statistic(np.asarray(totals))


def intervals(seed: int) -> Iterator[tuple[Floats, Floats]]:
    rng = np.random.default_rng(seed)
    for _ in range(REPEATS):
        outcomes, clusters = world(rng, 0.6)
        found = bootstrap(cluster_sums(count_rows(outcomes), clusters), statistic, 500)
        yield found.low, found.high


@pytest.mark.slow
def test_intervals_of_the_main_metrics_cover_the_truth() -> None:
    right = truth(0.6)
    inside = np.mean([(low <= right) & (right <= high) for low, high in intervals(1)], axis=0)
    # 95 %, give or take three standard errors of 400 repeats and what percentile intervals lose at 100 clusters
    assert (inside > 0.905).all(), dict(zip(WITH_INTERVALS, inside, strict=True))
    assert (inside < 0.985).all(), dict(zip(WITH_INTERVALS, inside, strict=True))


@pytest.mark.slow
def test_intervals_that_take_rows_for_independent_do_not() -> None:
    right, rng, inside = truth(0.6), np.random.default_rng(2), []
    for _ in range(REPEATS):
        outcomes, clusters = world(rng, 0.6)
        found = bootstrap(
            cluster_sums(count_rows(outcomes), [f"{i:04d}" for i in range(len(clusters))]), statistic, 500
        )
        inside.append((found.low <= right) & (right <= found.high))
    share = dict(zip(WITH_INTERVALS, np.mean(inside, axis=0), strict=True))
    assert share["refusal_accuracy"] < 0.8


def _sizes(sums: Floats) -> Floats:
    return sizes(sums, names=WITH_INTERVALS)


@pytest.mark.slow
def test_intervals_of_paired_differences_cover_the_truth() -> None:
    right, rng, inside = truth(0.7) - truth(0.6), np.random.default_rng(3), []
    for _ in range(REPEATS):
        a, clusters = world(rng, 0.6)
        b, _ = world(rng, 0.7)
        sides = count_rows(a), count_rows(b)
        of = Quantity(WITH_INTERVALS, *sides, places_of(clusters), statistic, _sizes)
        found = differences(of, Draws(500))
        inside.append([one.difference.low <= due <= one.difference.high for one, due in zip(found, right, strict=True)])
    share = np.mean(inside, axis=0)
    assert (share > 0.905).all(), dict(zip(WITH_INTERVALS, share, strict=True))
