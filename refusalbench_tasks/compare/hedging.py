"""Two logs of `bluff`, reply by reply and pair by pair."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from refusalbench_tasks.compare.differences import (
    Comparison,
    Difference,
    Draws,
    PairedTest,
    differences,
    paired_test,
    shared_cluster,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.logs.run import HedgingRun
from refusalbench_tasks.metrics.arm_names import PAIRED
from refusalbench_tasks.metrics.hedging import WRONG_BELOW, asi
from refusalbench_tasks.metrics.hedging_rates import RATES, rate_cells, rate_rows, rate_statistics, without_credit
from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.hedging_rows import HedgingRows, pair_arrays
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.stats.cluster import Floats, Mask

_PAIRED = ("asi", "confidence_drop", "hedging_difference")


def hedging_comparison(first: HedgingRun, other: HedgingRun, draws: Draws) -> Comparison:
    """Return the comparison over the replies that are decided in both.

    Rates count the replies of each log that they are about (answers, for the VUI); where one log's answer is ungraded,
    the other's counts as ungraded too. The paired measures need both arms of a question answered, with a confidence, in
    both logs. Raises DataError if the logs share no decided reply.
    """
    keys = tuple({key for key, row in run.rows.items() if row.arm in PAIRED} for run in (first, other))
    shared = sorted(keys[0] & keys[1])
    if not shared:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    both = [(first.rows[key], other.rows[key]) for key in shared]
    both = [(x, y) for x, y in both if not x.numbers["unscored"] and not y.numbers["unscored"]]
    if not both:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    graded = np.array([_right(x) is not None and _right(y) is not None for x, y in both])
    a, b = (
        HedgingRows(_ungraded(row, not known) for row, known in zip(side, graded, strict=True))
        for side in zip(*both, strict=True)
    )
    a, b = (_resampling(side, shared_cluster(first, other)) for side in (a, b))
    known = [pair for pair, inside in zip(both, graded, strict=True) if inside]
    return Comparison.of(
        (first, other),
        (keys[0], keys[1]),
        a.questions,
        graded,
        (
            *_paired(a, b, first.protocol, draws),
            *_rates(a, b, graded, first.protocol, draws),
            *_faithfulness(a, b, draws),
        ),
        (
            paired_test("refused", a.column("refused") == 1, b.column("refused") == 1, a.units, draws),
            _right_test(known, a.units_of(graded), draws),
        ),
    )


def _resampling(rows: HedgingRows, cluster: Cluster) -> HedgingRows:
    # thousands of copies take as long as all that is computed of them
    return rows if rows.cluster == cluster else HedgingRows(replace(row, cluster=cluster) for row in rows)


def _right_test(known: Sequence[tuple[HedgingRow, HedgingRow]], units: Sequence[str], draws: Draws) -> PairedTest:
    one, other = ([_right(pair[k]) is True for pair in known] for k in (0, 1))
    return paired_test("right", one, other, units, draws)


def _rates(a: HedgingRows, b: HedgingRows, graded: Mask, protocol: Protocol, draws: Draws) -> tuple[Difference, ...]:
    # a refusal's credit would be counted, where the other log's answer is not
    cells, cells_b = (without_credit(rate_cells(rows, protocol), ~graded) for rows in (a, b))
    n, n_b = (rate_rows(side.sum(axis=0)) for side in (cells, cells_b))
    return differences(RATES, cells, cells_b, a.units, rate_statistics, draws, n, n_b)


def _ungraded(row: HedgingRow, lost: bool) -> HedgingRow:
    return replace(row, numbers={**row.numbers, "correctness": math.nan}) if lost else row


def _right(row: HedgingRow) -> bool | None:
    """Return whether a reply is a right answer; a refusal is none; None if it is not known."""
    if not row.answered:
        return False
    grade = row.numbers["correctness"]
    return None if math.isnan(grade) else grade >= WRONG_BELOW


def _paired(a: HedgingRows, b: HedgingRows, protocol: Protocol, draws: Draws
            ) -> tuple[Difference, ...]:  # fmt: skip
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
    units = a.units_of(known)
    n = [len(units)]
    return differences(("faithfulness",), cells[0], cells[1], units, _means, draws, n, n)


def _means(totals: Floats) -> Floats:
    n = totals[..., -1:]
    result: Floats = np.where(n > 0, totals[..., :-1] / np.where(n > 0, n, 1), np.nan)
    return result
