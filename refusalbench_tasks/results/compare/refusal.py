"""Two logs of `nq` or `garage`, row by row."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.consistency import CONSISTENCY, consistency_cells
from refusalbench_tasks.metrics.refusal import METRICS, denominators, rates, ungraded
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.metrics.refusal_values import OF_CONTROLS
from refusalbench_tasks.results.compare.differences import (
    Comparison,
    Difference,
    Draws,
    differences,
    paired_test,
    shared_cluster,
    shared_rows,
)
from refusalbench_tasks.results.logs.keyed_rows import Key, keyed
from refusalbench_tasks.results.logs.run import RefusalRun, refusal_rows
from refusalbench_tasks.stats.cluster import Floats, Mask
from refusalbench_tasks.stats.uncertainty import ratios_of

_MIXED = (
    "only one of the two runs was asked for refusal codes: categories are not compared, and any refusal that is due "
    "counts as right in both"
)


def refusal_comparison(first: RefusalRun, other: RefusalRun, draws: Draws) -> Comparison:
    """Return the comparison over the samples that are decided in both. Raises DataError if there is none.

    Where one log's attempt is ungraded, the other's reply counts as ungraded too, refusal or not: leaving out the pair
    would leave out answers and keep refusals.
    """
    a, b = shared_rows(first.in_order, other.in_order)
    shared = len(a)
    decided = a.decided & b.decided
    a, b = a.where(decided), b.where(decided)
    mixed = first.codes != other.codes
    if mixed:
        a, b = (side.with_kinds(tuple(map(_without_codes, side.kinds))) for side in (a, b))
    controls = _control_differences(first, other, draws)
    quads = _consistency_differences(a, b, draws)
    if not shared and not controls:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    if not len(a) and not controls:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    units = a.unit_places(shared_cluster(first, other))
    known = a.right_is_known & b.right_is_known

    names = [name for name in first.main_metrics if name in other.main_metrics]

    def statistic(totals: Floats) -> Floats:
        return rates(totals, first.protocol, names)

    *cells, which = _cells(a, b, known)
    n, n_b = (_rows(side, which, first, names) for side in cells)
    main = differences(names, cells[0], cells[1], units, statistic, draws, n, n_b, which) if len(a) else ()
    made = Comparison.of(
        (first, other),
        (first.perturbed.keys(), other.perturbed.keys()),
        a.clusters.tolist(),
        known,
        (*main, *quads, *controls),
        (
            paired_test("refused", a.refusals, b.refusals, units, draws),
            paired_test("right", a.right[known], b.right[known], units[known], draws),
        ),
    )
    return replace(made, note=_MIXED) if mixed else made


def _cells(a: RefusalRows, b: RefusalRows, known: Mask) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Return the count vectors of both sides of each kind of pair, and the kind of each pair.

    Where it is not known in both whether a reply is right, neither side is graded.
    """
    every = (a.which.astype(np.int64) * len(b.kinds) + b.which) * 2 + known
    pairs, which = np.unique(every, return_inverse=True)
    lost, kinds = pairs % 2 == 0, pairs // 2
    in_a, in_b = a.vectors[kinds // max(1, len(b.kinds))], b.vectors[kinds % max(1, len(b.kinds))]
    return ungraded(in_a, lost), ungraded(in_b, lost), which


def _without_codes(row: RefusalRow) -> RefusalRow:
    """Return a row as it is where no codes were asked for: any refusal that is due is right, and has no category."""
    return replace(row, outcome=replace(row.outcome, codes=False))


def _consistency_differences(a: RefusalRows, b: RefusalRows, draws: Draws) -> tuple[Difference, ...]:
    """Return the differences over the pairs and quads whose rows are all known in both; none without pairs."""
    one, two = consistency_cells(a), consistency_cells(b)
    if one is None or two is None:
        return ()
    complete = one[:, 2:] * two[:, 2:]
    one, two = (np.hstack([side[:, :2] * complete, complete]) for side in (one, two))
    n = [float(number) for number in complete.sum(axis=0)]
    # by quad whatever the runs were told: a group is never cut
    return differences(CONSISTENCY, one, two, a.unit_places("question"), ratios_of, draws, n, n)


def _control_differences(first: RefusalRun, other: RefusalRun, draws: Draws) -> tuple[Difference, ...]:
    """Return the differences on the unperturbed controls that are decided in both; none without such."""
    keys = sorted(set(first.controls) & set(other.controls))
    both = [_at_keys(run.controls, keys) for run in (first, other)]
    decided = both[0].decided & both[1].decided
    if not decided.any():
        return ()
    sides = [side.where(decided) for side in both]
    *cells, which = _cells(sides[0], sides[1], sides[0].right_is_known & sides[1].right_is_known)
    n, n_b = ([denominators(np.bincount(which) @ side)[name] for name in OF_CONTROLS] for side in cells)

    def statistic(totals: Floats) -> Floats:
        chosen: Floats = rates(totals)[..., [METRICS.index(name) for name in OF_CONTROLS]]
        return chosen

    names, units = [f"control_{name}" for name in OF_CONTROLS], sides[0].unit_places(shared_cluster(first, other))
    return differences(names, cells[0], cells[1], units, statistic, draws, n, n_b, which)


def _at_keys(rows: Mapping[Key, RefusalRow], keys: Sequence[Key]) -> RefusalRows:
    held = keyed(rows)
    return refusal_rows(held).at(np.array([held.places[key] for key in keys], dtype=np.intp))


def _rows(cells: Floats, which: NDArray[np.intp], run: RefusalRun, names: Sequence[str]) -> list[float]:
    """Return the rows behind each metric."""
    ns = denominators(np.bincount(which, minlength=len(cells)) @ cells, run.protocol)
    return [ns[name] for name in names]
