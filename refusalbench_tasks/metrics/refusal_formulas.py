"""The formulas of the refusal tasks that are more than a quotient of two counts
(RefusalBench, App. D and F.2).
"""

from collections.abc import Callable, Mapping

import numpy as np

from refusalbench_tasks.replies.confidence import LEVELS, MIDPOINTS
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.proportion import ratios
from refusalbench_tasks.taxonomy import CLASSES

from .metric import Ratio, Sums

ANSWER_ACCURACY = Ratio("correct", "graded")
REFUSAL_ACCURACY = Ratio("hits", "coded")
CATEGORY = Ratio("hits", "coded_refusals")
_MIDPOINTS = np.array([MIDPOINTS[level] for level in LEVELS])
PARTS = ("ece", "ece_answers", "ece_refusals", "ece_answerable", "ece_unanswerable")
"""Of all replies, by what the reply is (paper F.2), by what the row is (released
script).
"""


def both_sides(c: Sums) -> Floats:
    """Return 0 where rows of one side are missing."""
    return np.minimum(c["other_side"], c["unanswerable"])


F1 = Ratio(
    lambda c: 2 * c["refusals"],
    lambda c: c["refusals"] + c["false_refusals"] + c["unanswerable"],
    both_sides,
)
"""The F1 of the decision to refuse."""


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


def f1_times_category(c: Sums) -> Floats:
    """Return the product; 0 where nothing was refused, whatever the category accuracy
    would be.
    """
    return np.where(c["refusals"] > 0, F1(c) * CATEGORY(c), 0.0)


def weighted_accuracies(c: Sums) -> Floats:
    """Return the sum of both accuracies, each times the rows of its side in the
    data.
    """
    answerable = c["every_answerable"]
    unanswerable = c["every_unanswerable"]
    answered = ANSWER_ACCURACY(c) * answerable
    refused = REFUSAL_ACCURACY(c) * unanswerable
    return np.where(answerable > 0, answered, 0.0) + np.where(
        unanswerable > 0, refused, 0.0
    )


def summed_class_accuracies(c: Sums) -> Floats:
    """Return the sum of the refusal accuracies of the classes."""
    by_class = ratios(_by_class(c, "hits"), _by_class(c, "rows"))
    total: Floats = np.nan_to_num(by_class).sum(axis=0)
    return total


def _by_class(c: Sums, count: str) -> Floats:
    return np.stack([c[f"{name} {count}"] for name in CLASSES])


def _level_error(part: str) -> Callable[[Sums], Floats]:
    """Return the calibration error of a part of the replies: the sum over levels of
    |right replies - midpoint x replies| / its replies.
    """

    def error(c: Sums) -> Floats:
        right, replies = _by_level(c, part)
        distance = np.abs(right - _MIDPOINTS * replies)
        total: Floats = distance.sum(axis=-1) / replies.sum(axis=-1)
        return total

    return error


def squared_error(c: Sums) -> Floats:
    """Return the sum of (midpoint - right)^2 over all replies (Brier score)."""
    right, replies = _by_level(c, PARTS[0])
    squares = right * (1 - _MIDPOINTS) ** 2 + (replies - right) * _MIDPOINTS**2
    total: Floats = squares.sum(axis=-1)
    return total


def _by_level(c: Sums, part: str) -> tuple[Floats, Floats]:
    """Return the right replies of a part that state each level, and all of them."""
    names = [f"{part} {level}" for level in LEVELS]
    right = [c[f"{name} right"] for name in names]
    replies = [c[name] for name in names]
    return np.stack(right, axis=-1), np.stack(replies, axis=-1)


FORMULAS: Mapping[str, Callable[[Sums], Floats]] = {
    "both_accuracies": both_accuracies,
    "one": lambda c: np.ones_like(c["hits"]),
    "two": lambda c: np.full_like(c["hits"], 2),
    "graded_and_coded": lambda c: c["graded"] + c["coded"],
    "refused_rightly_or_not": lambda c: c["refusals"] + c["false_refusals"],
    "both_sides": both_sides,
    "f1": F1,
    "f1_times_category": f1_times_category,
    "coded_on_both_sides": lambda c: np.minimum(c["coded"], both_sides(c)),
    "weighted_accuracies": weighted_accuracies,
    "summed_class_accuracies": summed_class_accuracies,
    "classes_with_rows": lambda c: (_by_class(c, "rows") > 0).sum(axis=0),
    "squared_error": squared_error,
    **{f"error of {part}": _level_error(part) for part in PARTS},
}
"""What rows of `data/metrics.yaml` name."""
