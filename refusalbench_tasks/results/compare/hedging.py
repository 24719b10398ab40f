"""Two logs of `bluff`, reply by reply and pair by pair."""

from dataclasses import replace

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.hedging import asi
from refusalbench_tasks.metrics.hedging_rates import RATES, rate_cells, rate_rows, rate_statistics, without_credit
from refusalbench_tasks.metrics.hedging_rows import HedgingRows, pair_arrays
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.results.compare.differences import (
    Comparison,
    Difference,
    Draws,
    differences,
    paired_test,
    shared_cluster,
    shared_rows,
)
from refusalbench_tasks.results.logs.run import HedgingRun
from refusalbench_tasks.stats.cluster import Floats, Mask

_PAIRED = ("asi", "confidence_drop", "hedging_difference")


def hedging_comparison(first: HedgingRun, other: HedgingRun, draws: Draws) -> Comparison:
    """Return the comparison over the replies that are decided in both.

    Rates count the replies of each log that they are about (answers, for the VUI); where one log's answer is ungraded,
    the other's counts as ungraded too. The paired measures need both arms of a question answered, with a confidence, in
    both logs. Raises DataError if the logs share no decided reply.
    """
    of_a, of_b = shared_rows(first.in_order, other.in_order)
    if not len(of_a):
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    decided = (of_a.column("unscored") == 0) & (of_b.column("unscored") == 0)
    if not decided.any():
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    of_a, of_b = (_resampling(side, shared_cluster(first, other)) for side in (of_a, of_b))
    a, b = of_a.where(decided), of_b.where(decided)
    graded = a.right_is_known & b.right_is_known
    right, right_b = a.right[graded], b.right[graded]
    a, b = (side.without_grades(~graded) for side in (a, b))
    return Comparison.of(
        (first, other),
        (first.in_order[0], other.in_order[0]),
        a.questions,
        graded,
        (
            *_paired(of_a, of_b, first.protocol, draws),
            *_rates(a, b, graded, first.protocol, draws),
            *_faithfulness(a, b, draws),
        ),
        (
            paired_test("refused", a.column("refused") == 1, b.column("refused") == 1, a.unit_places, draws),
            paired_test("right", right, right_b, a.unit_places[graded], draws),
        ),
    )


def _resampling(rows: HedgingRows, cluster: Cluster) -> HedgingRows:
    # thousands of copies take as long as all that is computed of them
    return rows if rows.cluster == cluster else HedgingRows(replace(row, cluster=cluster) for row in rows)


def _rates(a: HedgingRows, b: HedgingRows, graded: Mask, protocol: Protocol, draws: Draws) -> tuple[Difference, ...]:
    # a refusal's credit would be counted, where the other log's answer is not
    cells, cells_b = (without_credit(rate_cells(rows, protocol), ~graded) for rows in (a, b))
    n, n_b = (rate_rows(side.sum(axis=0)) for side in (cells, cells_b))
    return differences(RATES, cells, cells_b, a.unit_places, rate_statistics, draws, n, n_b)


def _paired(a: HedgingRows, b: HedgingRows, protocol: Protocol, draws: Draws
            ) -> tuple[Difference, ...]:  # fmt: skip
    # a pair with an undecided reply is dropped already
    shared = [(x, y) for x, y in zip(a.pairs, b.pairs, strict=True) if x.dropped is None and y.dropped is None]
    ones, others = [x for x, _ in shared], [y for _, y in shared]
    cells = []
    for pairs in (ones, others):
        c1, c2, h1, h2 = pair_arrays(pairs)
        cells.append(np.column_stack([asi(c1, c2, h1, h2, protocol), c1 - c2, h2 - h1, np.ones(len(pairs))]))
    n = [len(ones)] * len(_PAIRED)
    return differences(_PAIRED, cells[0], cells[1], [pair.unit for pair in ones], _means, draws, n, n)


def _faithfulness(a: HedgingRows, b: HedgingRows, draws: Draws
                  ) -> tuple[Difference, ...]:  # fmt: skip
    values = a.column("faithfulness"), b.column("faithfulness")
    known = ~(np.isnan(values[0]) | np.isnan(values[1]))
    cells = [np.column_stack([one[known], np.ones(known.sum())]) for one in values]
    units = a.unit_places[known]
    n = [len(units)]
    return differences(("faithfulness",), cells[0], cells[1], units, _means, draws, n, n)


def _means(totals: Floats) -> Floats:
    n = totals[..., -1:]
    result: Floats = np.where(n > 0, totals[..., :-1] / np.where(n > 0, n, 1), np.nan)
    return result
