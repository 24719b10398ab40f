"""Agreement of two raters."""

from collections.abc import Hashable, Sequence


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return Cohen's kappa of two raters' labels for the same items: (p_o - p_e) / (1 - p_e), in [-1, 1].

    NaN without items, and where neither rater varies (p_e = 1): agreement beyond chance is then undefined, not 0 or 1.
    Raises ValueError if the lengths differ. Source: Cohen (1960).
    """
    if len(first) != len(second):
        raise ValueError(f"expected as many labels from both raters, got {len(first)} and {len(second)}")
    n = len(first)
    if n == 0:
        return float("nan")
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    labels = set(first) | set(second)
    expected = sum(list(first).count(label) * list(second).count(label) for label in labels) / n**2
    return (observed - expected) / (1 - expected) if expected < 1 else float("nan")
