"""Two logs of `nq` or `garage`, row by row."""

from collections.abc import Mapping

import numpy as np

from refusalbench_tasks.compare.differences import Comparison, Difference, differences, paired_test
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.logs.run import Key, RefusalRun
from refusalbench_tasks.metrics.refusal import METRICS, count_rows, denominators, rates, ungraded
from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.metrics.refusal_values import OF_CONTROLS
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.stats.cluster import Floats


def refusal_comparison(first: RefusalRun, other: RefusalRun, resamples: int, seed: int) -> Comparison:
    """Return the comparison over the samples that are decided in both. Raises DataError if there is none.

    Where one log's attempt is ungraded, the other's reply counts as ungraded too, refusal or not: leaving out the pair
    would leave out answers and keep refusals.
    """
    shared = sorted(set(first.perturbed) & set(other.perturbed))
    decided = _decided(first.perturbed, other.perturbed)
    controls = _control_differences(first, other, resamples, seed)
    if not shared and not controls:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    if not decided and not controls:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    a, b = [x for x, _ in decided], [y for _, y in decided]
    clusters = [outcome.cluster for outcome in a]
    known = np.array([x.right is not None and y.right is not None for x, y in decided], dtype=bool)
    of_graded = [name for name, both in zip(clusters, known, strict=True) if both]
    graded = [(x.right is True, y.right is True) for (x, y), both in zip(decided, known, strict=True) if both]

    names = first.main_metrics

    def statistic(totals: Floats) -> Floats:
        return rates(totals, first.protocol, names)

    cells = [ungraded(count_rows(rows), ~known) for rows in (a, b)]
    n, n_b = (_rows(side, first) for side in cells)
    main = differences(names, cells[0], cells[1], clusters, statistic, resamples, seed, n, n_b) if decided else ()
    return Comparison.of(
        (first, other),
        (first.perturbed.keys(), other.perturbed.keys()),
        clusters,
        known,
        (*main, *controls),
        (
            paired_test("refused", [_refuses(x) for x in a], [_refuses(y) for y in b], clusters, resamples, seed),
            paired_test("right", [x for x, _ in graded], [y for _, y in graded], of_graded, resamples, seed),
        ),
    )


def _decided(first: Mapping[Key, RefusalRow], other: Mapping[Key, RefusalRow]) -> list[tuple[Outcome, Outcome]]:
    """Return the outcomes of the samples that are decided in both logs, in the order of their keys."""
    pairs = [(first[key].outcome, other[key].outcome) for key in sorted(set(first) & set(other))]
    return [(x, y) for x, y in pairs if x.predicted is not None and y.predicted is not None]


def _control_differences(first: RefusalRun, other: RefusalRun, resamples: int, seed: int) -> tuple[Difference, ...]:
    """Return the differences on the unperturbed controls that are decided in both; none without such."""
    decided = _decided(first.controls, other.controls)
    if not decided:
        return ()
    lost = np.array([x.right is None or y.right is None for x, y in decided])
    cells = [ungraded(count_rows([pair[k] for pair in decided]), lost) for k in (0, 1)]
    n, n_b = ([denominators(side.sum(axis=0))[name] for name in OF_CONTROLS] for side in cells)

    def statistic(totals: Floats) -> Floats:
        chosen: Floats = rates(totals)[..., [METRICS.index(name) for name in OF_CONTROLS]]
        return chosen

    names, clusters = [f"control_{name}" for name in OF_CONTROLS], [x.cluster for x, _ in decided]
    return differences(names, cells[0], cells[1], clusters, statistic, resamples, seed, n, n_b)


def _rows(cells: Floats, run: RefusalRun) -> list[float]:
    """Return the rows behind each metric."""
    ns = denominators(cells.sum(axis=0), run.protocol)
    return [ns[name] for name in run.main_metrics]


def _refuses(outcome: Outcome) -> bool:
    return outcome.predicted is not None and outcome.predicted.is_refusal
