"""Agreement of raters."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return Cohen's kappa of two raters' labels for the same items: (p_o - p_e) / (1 -
    p_e), in [-1, 1].

    NaN without items, and where one of the raters does not vary: p_o then equals p_e
    whatever the other says, and 0 would be a value of the formula, not of the
    agreement. Raises ValueError if the lengths differ. Cohen (1960).
    """
    first_counts = Counter(first)
    second_counts = Counter(second)
    n = len(first)
    if len(first_counts) < 2 or len(second_counts) < 2:
        return float("nan")
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    by_chance = [first_counts[label] * second_counts[label] for label in first_counts]
    expected = sum(by_chance) / n**2
    return (observed - expected) / (1 - expected)


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable | None]]) -> float:
    """Return Krippendorff's alpha for nominal labels: 1 - observed / expected
    disagreement, at most 1.

    `ratings` holds, per item, the raters' labels; None is a missing one, and items with
    fewer than two labels say nothing. NaN without such items, and where all labels are
    equal: disagreement is then not to be expected. Source: Krippendorff, Content
    Analysis (2004), ch. 11, by the coincidence matrix.
    """
    items = []
    for item in ratings:
        labels = [label for label in item if label is not None]
        if len(labels) > 1:
            items.append(labels)
    totals = Counter(chain.from_iterable(items))
    n = sum(totals.values())
    expected = n * n - sum(count * count for count in totals.values())
    if n < 2 or expected == 0:
        return float("nan")
    observed = 0.0
    for item in items:
        m = len(item)
        observed += (m * m - sum(count * count for count in Counter(item).values())) / (
            m - 1
        )
    return 1 - (n - 1) * observed / expected
