"""Count vectors of outcomes, for the readers of logs that have no table yet."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.refusal_counts import WIDTH, count_vectors
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.stats.cluster import Floats


def count_rows(outcomes: Sequence[Outcome]) -> Floats:
    """Return one count vector per outcome, shape (n, WIDTH)."""
    import pandas as pd

    if not outcomes:
        return np.zeros((0, WIDTH))
    rows = [
        {
            "expected": one.expected.value,
            "predicted": one.predicted.value if one.predicted else "",
            "right": np.nan if one.right is None else float(one.right),
            "codes": one.codes,
            "outcome": "decided" if one.predicted else "unscored",
        }
        for one in outcomes
    ]
    return count_vectors(pd.DataFrame(rows))
