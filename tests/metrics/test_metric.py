"""What the row of a metric must say, and what follows from it."""

import numpy as np
import pytest

from refusalbench_tasks.metrics.metric import Metric, Ratio
from refusalbench_tasks.metrics.refusal_counts import count_sums
from refusalbench_tasks.outcome import Protocol
from tests.metrics.refusal_rates import HAND
from tests.metrics.replies import some


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_a_metric_is_a_row_over_the_counts(protocol: Protocol) -> None:
    missed = Metric(
        name="missed_share",
        formula=Ratio("missed", "rows"),
        n="rows",
        better="lower",
    )
    sums = count_sums(some(HAND).assign(protocol=protocol))
    rows = 10 if protocol == "paper" else 12
    totals = sums.rows.sum(axis=0)
    assert sums.values([missed], totals).tolist() == pytest.approx([1 / rows])
    assert sums.sizes([missed], totals).tolist() == [rows]


def test_a_row_that_does_not_say_which_values_are_better_is_none() -> None:
    with pytest.raises(TypeError, match="better"):
        Metric(name="x", formula=np.mean, n="rows")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="x: better is one of"):
        Metric(name="x", formula=np.mean, n="rows", better="more")  # type: ignore[arg-type]
