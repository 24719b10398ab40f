"""Numbers of which some are not known, and are NaN."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def known(values: ArrayLike) -> NDArray[np.float64]:
    """Return the values that are known, in their order."""
    array = np.asarray(values, dtype=float)
    result: NDArray[np.float64] = array[~np.isnan(array)]
    return result


def known_n(values: ArrayLike) -> float:
    """Return how many values are known."""
    return float(len(known(values)))


def known_mean(values: ArrayLike) -> float:
    """Return the mean of the values that are known; NaN without any."""
    some = known(values)
    return float(some.mean()) if len(some) else float("nan")
