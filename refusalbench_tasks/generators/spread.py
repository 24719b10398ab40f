"""Spreading levers over base questions: each base takes one lever that fits it, and all levers are used alike."""

from collections.abc import Sequence


def spread(fits: Sequence[Sequence[bool]]) -> list[int | None]:
    """Return for each base (row) the lever (column) that it takes; None where no lever fits.

    A flow of least cost: every base with a lever that fits gets one, and the k-th use of a lever costs k, so that the
    sum of k (k + 1) / 2 over the levers' uses is the least there is. No other assignment then has a smaller
    difference between the most and the least used lever that could be traded (optimal semi-matching, Harvey et al.
    2006). With as many uses as there are bases this is an assignment problem (scipy).
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    table = np.asarray(fits, dtype=bool)
    found: list[int | None] = [None] * len(fits)
    rows = np.flatnonzero(table.any(axis=1)) if table.size else np.array([], dtype=int)
    if not len(rows):
        return found
    table = table[rows]
    uses = table.sum(axis=0)
    levers = np.repeat(np.arange(table.shape[1]), uses)
    nth = np.concatenate([np.arange(1, count + 1) for count in uses])
    never = float(len(rows) + 1) ** 2
    cost = np.where(table[:, levers], nth.astype(float), never)
    for row, column in zip(*linear_sum_assignment(cost), strict=True):
        found[rows[row]] = int(levers[column])
    return found
