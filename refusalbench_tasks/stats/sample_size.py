"""How many items a benchmark needs, if it is fresh every round or if it is static (paper, Theorem 3.1 and App. B)."""

import math


def fresh_samples(epsilon: float, delta: float, rounds: int) -> int:
    """Return the items per round by which a fresh benchmark is within epsilon in every one of `rounds` rounds.

    m >= log(2 rounds / delta) / (2 epsilon^2), which holds with probability 1 - delta over all rounds together.
    Raises ValueError unless 0 < epsilon < 1, 0 < delta < 1 and rounds >= 1.
    """
    _valid(epsilon, delta, rounds)
    return math.ceil(math.log(2 * rounds / delta) / (2 * epsilon**2) - 1e-9)


def static_samples(epsilon: float, delta: float) -> int:
    """Return the items by which a static benchmark is within epsilon, if it drifts by at most epsilon / 2.

    n >= 2 log(2 / delta) / epsilon^2. With a larger drift no number suffices.
    """
    _valid(epsilon, delta, 1)
    return math.ceil(2 * math.log(2 / delta) / epsilon**2 - 1e-9)


def static_failure_bound(epsilon: float, n: int, drift: float) -> float:
    """Return the upper bound on the probability that a static benchmark of n items errs by more than epsilon.

    2 exp(-2 n (epsilon - drift)_+^2), at most 1: with a drift of epsilon or more it promises nothing.
    """
    return min(1.0, 2 * math.exp(-2 * n * max(0.0, epsilon - drift) ** 2))


def static_failure_floor(epsilon: float, n: int, drift: float) -> float:
    """Return the lower bound on that probability: 1 - 2 exp(-2 n (drift - epsilon)_+^2), at least 0."""
    return max(0.0, 1 - 2 * math.exp(-2 * n * max(0.0, drift - epsilon) ** 2))


def static_error(delta: float, n: int, drift: float) -> float:
    """Return the smallest epsilon that a static benchmark of n items still promises under a drift, with 1 - delta."""
    return drift + math.sqrt(math.log(2 / delta) / (2 * n))


def _valid(epsilon: float, delta: float, rounds: int) -> None:
    if not (0 < epsilon < 1 and 0 < delta < 1 and rounds >= 1):
        raise ValueError(f"expected 0 < epsilon < 1, 0 < delta < 1, rounds >= 1; got {epsilon}, {delta}, {rounds}")
