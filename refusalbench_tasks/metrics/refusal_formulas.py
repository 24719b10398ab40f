"""The formulas of the refusal tasks that are more than a quotient of two counts
(RefusalBench, App. D and F.2).
"""

from collections.abc import Callable

import numpy as np

from refusalbench_tasks.metrics.metric import Ratio, Sums
from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.proportion import ratios
from refusalbench_tasks.taxonomy import CLASSES

ANSWER_ACCURACY = Ratio("correct", "graded")
REFUSAL_ACCURACY = Ratio("hits", "coded")
CATEGORY = Ratio("hits", "coded_refusals")
_MIDPOINTS = np.array([MIDPOINTS[level] for level in LEVELS])
ALL_REPLIES = "ece"
"""The part that is all replies."""


def twice_refusals(c: Sums) -> Floats:
    """Return the numerator of the F1 of the decision to refuse."""
    return 2 * c["refusals"]


def refused_and_due(c: Sums) -> Floats:
    """Return the denominator of the F1 of the decision to refuse."""
    return c["refusals"] + c["false_refusals"] + c["unanswerable"]


def both_sides(c: Sums) -> Floats:
    """Return 0 where rows of one side are missing."""
    return np.minimum(c["other_side"], c["unanswerable"])


F1 = Ratio(twice_refusals, refused_and_due, both_sides)


def both_accuracies(c: Sums) -> Floats:
    """Return the sum of both accuracies, which the released code takes for 0 where
    there is no row.
    """
    both = np.stack([ANSWER_ACCURACY(c), REFUSAL_ACCURACY(c)])
    total: Floats = np.where(
        c["official"],
        np.nan_to_num(both),
        both,
    ).sum(axis=0)
    return total


def graded_and_coded(c: Sums) -> Floats:
    """Return the rows of both accuracies."""
    return c["graded"] + c["coded"]


def coded_on_both_sides(c: Sums) -> Floats:
    """Return 0 where there is no code to be right, or only one side of rows."""
    return np.minimum(c["coded"], both_sides(c))


def constant(number: float) -> Callable[[Sums], Floats]:
    """Return a denominator that is always the same."""
    return lambda c: np.full_like(c["hits"], number)


def f1_times_category(c: Sums) -> Floats:
    """Return the product; 0 where nothing was refused, whatever the category accuracy
    would be.
    """
    return np.where(c["refusals"] > 0, F1(c) * CATEGORY(c), 0.0)


def weighted_accuracies(c: Sums) -> Floats:
    """Return the sum of both accuracies, each times the rows of its side in the
    data.
    """
    sides = (
        ("every_answerable", ANSWER_ACCURACY),
        ("every_unanswerable", REFUSAL_ACCURACY),
    )
    weighted = [
        np.where(c[rows] > 0, accuracy(c) * c[rows], 0.0) for rows, accuracy in sides
    ]
    return weighted[0] + weighted[1]


def summed_class_accuracies(c: Sums) -> Floats:
    """Return the sum of the refusal accuracies of the classes."""
    by_class = ratios(_by_class(c, "hits"), _by_class(c, "rows"))
    total: Floats = np.nan_to_num(by_class).sum(axis=0)
    return total


def classes_with_rows(c: Sums) -> Floats:
    """Return how many classes have a row."""
    classes: Floats = (_by_class(c, "rows") > 0).sum(axis=0).astype(np.float64)
    return classes


def _by_class(c: Sums, count: str) -> Floats:
    return np.stack([c[f"{name} {count}"] for name in CLASSES])


def level_error(part: str) -> Callable[[Sums], Floats]:
    """Return the calibration error of a part of the replies: the sum over levels of
    |right replies - midpoint x replies| / its replies.
    """

    def error(c: Sums) -> Floats:
        right, replies = _by_level(c, part)
        distance = np.abs(right - _MIDPOINTS * replies)
        total: Floats = distance.sum(axis=-1) / replies.sum(axis=-1)
        return total

    return error


def stated(part: str = ALL_REPLIES) -> Callable[[Sums], Floats]:
    """Return how many replies of a part state a level."""

    def replies(c: Sums) -> Floats:
        total: Floats = _by_level(c, part)[1].sum(axis=-1)
        return total

    return replies


def squared_error(c: Sums) -> Floats:
    """Return the sum of (midpoint - right)^2 over all replies (Brier score)."""
    right, replies = _by_level(c, ALL_REPLIES)
    squares = right * (1 - _MIDPOINTS) ** 2 + (replies - right) * _MIDPOINTS**2
    total: Floats = squares.sum(axis=-1)
    return total


def _by_level(c: Sums, part: str) -> tuple[Floats, Floats]:
    """Return the right replies of a part that state each level, and all of them."""
    names = [f"{part} {level}" for level in LEVELS]
    right = [c[f"{name} right"] for name in names]
    return np.stack(right, axis=-1), np.stack([c[name] for name in names], axis=-1)
