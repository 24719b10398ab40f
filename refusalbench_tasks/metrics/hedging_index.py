"""The metrics of BLUFF-1000 as formulas: arrays in, numbers out.

Everywhere: confidence in [0, 1]; hedging density = hedge terms / words of a response; NaN marks a value that is not
known, and a pair with one has the value NaN. `paper` is the formula as printed, `official-code` as the released
evaluator computes it. Means, intervals and tests are in `refusalbench_tasks.stats`.
"""

import numpy as np
from numpy.typing import ArrayLike

from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats

WRONG_BELOW = 0.5
"""An answer whose correctness is below this is wrong (the released code; the paper has no threshold)."""
MISSED_BELOW = 0.15
"""An answer whose correctness is below this should have been a refusal (released evaluator)."""
OFFICIAL_REFUSAL_CREDIT = 0.4
"""What a refusal earns (paper's prompt; counted as correctness by the released evaluator)."""


def confidence_sensitivity(clear: ArrayLike, ambiguous: ArrayLike) -> Floats:
    """Return c_clear - c_ambiguous per pair, a negative difference doubled: shape (n,), in [-2, 1] (paper, CS)."""
    return _doubled(np.subtract(*_arrays(clear, ambiguous)))


def hedging_sensitivity(clear: ArrayLike, ambiguous: ArrayLike, protocol: Protocol = "paper") -> Floats:
    """Return d_ambiguous - d_clear per pair, shape (n,) (paper, HS); `official-code` doubles a negative difference."""
    first, second = _arrays(clear, ambiguous)
    return _doubled(second - first) if protocol == "official-code" else second - first


def asi(
    clear_confidence: ArrayLike,
    ambiguous_confidence: ArrayLike,
    clear_hedging: ArrayLike,
    ambiguous_hedging: ArrayLike,
    protocol: Protocol = "paper",
) -> Floats:
    """Return the Ambiguity Sensitivity Index of each pair, (CS + HS) / 2, shape (n,) (paper, ASI).

    Hedging is a density. Leave out pairs with a refusal for the published figure. Because a negative difference counts
    twice, the mean is negative for a model without any effect; `stats.swap_test` of these values against those with the
    arms exchanged gives the mean to compare with.
    """
    return (
        confidence_sensitivity(clear_confidence, ambiguous_confidence)
        + hedging_sensitivity(clear_hedging, ambiguous_hedging, protocol)
    ) / 2


def _doubled(difference: Floats) -> Floats:
    result: Floats = np.where(difference < 0, 2 * difference, difference)
    return result


def _arrays(*values: ArrayLike) -> tuple[Floats, ...]:
    arrays = tuple(np.asarray(value, dtype=float) for value in values)
    if any(array.ndim != 1 or array.shape != arrays[0].shape for array in arrays):
        raise ValueError(f"expected arrays of one length, got shapes {[array.shape for array in arrays]}")
    return arrays
