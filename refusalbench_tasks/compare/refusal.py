"""Two logs of `nq` or `garage`, row by row."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from refusalbench_tasks.compare.differences import (
    Comparison,
    Difference,
    Draws,
    differences,
    paired_test,
    shared_cluster,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.logs.run import Key, RefusalRun
from refusalbench_tasks.metrics.refusal import METRICS, denominators, rates, ungraded
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.metrics.refusal_values import OF_CONTROLS
from refusalbench_tasks.stats.cluster import Floats

_MIXED = (
    "only one of the two runs was asked for refusal codes: categories are not compared, and any refusal that is due "
    "counts as right in both"
)


def refusal_comparison(first: RefusalRun, other: RefusalRun, draws: Draws) -> Comparison:
    """Return the comparison over the samples that are decided in both. Raises DataError if there is none.

    Where one log's attempt is ungraded, the other's reply counts as ungraded too, refusal or not: leaving out the pair
    would leave out answers and keep refusals.
    """
    shared = sorted(set(first.perturbed) & set(other.perturbed))
    decided = _decided(first.perturbed, other.perturbed)
    mixed = first.codes != other.codes
    if mixed:
        decided = [(_without_codes(x), _without_codes(y)) for x, y in decided]
    controls = _control_differences(first, other, draws)
    if not shared and not controls:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    if not decided and not controls:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    a, b = RefusalRows(x for x, _ in decided), RefusalRows(y for _, y in decided)
    units = a.units(shared_cluster(first, other))
    # None where it is not known whether the reply is right
    right = [(x.right, y.right) for x, y in zip(a.outcomes, b.outcomes, strict=True)]
    known = np.array([x is not None and y is not None for x, y in right], dtype=bool)
    of_graded = [name for name, both in zip(units, known, strict=True) if both]
    graded = [(x is True, y is True) for (x, y), both in zip(right, known, strict=True) if both]

    names = [name for name in first.main_metrics if name in other.main_metrics]

    def statistic(totals: Floats) -> Floats:
        return rates(totals, first.protocol, names)

    cells = [ungraded(rows.counts, ~known) for rows in (a, b)]
    n, n_b = (_rows(side, first, names) for side in cells)
    main = differences(names, cells[0], cells[1], units, statistic, draws, n, n_b) if decided else ()
    made = Comparison.of(
        (first, other),
        (first.perturbed.keys(), other.perturbed.keys()),
        a.clusters,
        known,
        (*main, *controls),
        (
            paired_test("refused", _refuse(a), _refuse(b), units, draws),
            paired_test("right", [x for x, _ in graded], [y for _, y in graded], of_graded, draws),
        ),
    )
    return replace(made, note=_MIXED) if mixed else made


def _without_codes(row: RefusalRow) -> RefusalRow:
    """Return a row as it is where no codes were asked for: any refusal that is due is right, and has no category."""
    return replace(row, outcome=replace(row.outcome, codes=False))


def _decided(first: Mapping[Key, RefusalRow], other: Mapping[Key, RefusalRow]) -> list[tuple[RefusalRow, RefusalRow]]:
    """Return the rows of the samples that are decided in both logs, in the order of their keys."""
    pairs = [(first[key], other[key]) for key in sorted(set(first) & set(other))]
    return [(x, y) for x, y in pairs if x.outcome.predicted is not None and y.outcome.predicted is not None]


def _control_differences(first: RefusalRun, other: RefusalRun, draws: Draws) -> tuple[Difference, ...]:
    """Return the differences on the unperturbed controls that are decided in both; none without such."""
    decided = _decided(first.controls, other.controls)
    if not decided:
        return ()
    sides = RefusalRows(x for x, _ in decided), RefusalRows(y for _, y in decided)
    lost = np.array([x.outcome.right is None or y.outcome.right is None for x, y in decided])
    cells = [ungraded(side.counts, lost) for side in sides]
    n, n_b = ([denominators(side.sum(axis=0))[name] for name in OF_CONTROLS] for side in cells)

    def statistic(totals: Floats) -> Floats:
        chosen: Floats = rates(totals)[..., [METRICS.index(name) for name in OF_CONTROLS]]
        return chosen

    names, units = [f"control_{name}" for name in OF_CONTROLS], sides[0].units(shared_cluster(first, other))
    return differences(names, cells[0], cells[1], units, statistic, draws, n, n_b)


def _rows(cells: Floats, run: RefusalRun, names: Sequence[str]) -> list[float]:
    """Return the rows behind each metric."""
    ns = denominators(cells.sum(axis=0), run.protocol)
    return [ns[name] for name in names]


def _refuse(rows: RefusalRows) -> list[bool]:
    return [outcome.predicted is not None and outcome.predicted.is_refusal for outcome in rows.outcomes]
