"""Areas under the curves of a sign of wrong replies."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.stats.areas import weighted_areas

REPLIES = st.lists(
    st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.sampled_from([0.0, 1.0])),
    min_size=1,
    max_size=6,
)


def areas(score: Sequence[float], wrong: Sequence[float]) -> list[float]:
    """Return AUROC and AURC, where a wrong reply is the risk."""
    found: list[float] = weighted_areas(
        score, wrong, wrong, np.ones(len(score))
    ).tolist()
    return found


@given(REPLIES)
def test_the_area_is_the_mean_over_all_orders_of_ties(
    replies: list[tuple[float, float]],
) -> None:
    score, wrong = zip(*replies, strict=True)
    means = []
    for order in itertools.permutations(range(len(replies))):
        if all(score[a] <= score[b] for a, b in itertools.pairwise(order)):
            errors = np.cumsum([wrong[i] for i in order])
            means.append(np.mean(errors / np.arange(1, len(order) + 1)))
    assert areas(score, wrong)[1] == pytest.approx(np.mean(means))


@given(REPLIES, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_a_weight_is_how_often_a_reply_counts(
    replies: list[tuple[float, float]], times: list[int]
) -> None:
    score, wrong = (np.array(column) for column in zip(*replies, strict=True))
    weights = np.array(times[: len(replies)])
    found = weighted_areas(
        score, wrong, wrong, np.stack([weights, weights]).astype(float)
    )
    due = areas(np.repeat(score, weights).tolist(), np.repeat(wrong, weights).tolist())
    np.testing.assert_allclose(found, [due, due])


def test_without_replies_both_are_unknown_and_without_wrong_ones_the_first() -> None:
    assert all(map(math.isnan, areas([], [])))
    auroc, aurc = areas([1, 2], [0, 0])
    assert (math.isnan(auroc), aurc) == (True, 0)
