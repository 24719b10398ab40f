"""Two logs of `nq` or `garage`, row by row."""

import numpy as np

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.outcome import Outcome, Protocol
from refusalbench_tasks.metrics.refusal import METRICS, Floats, count_rows, denominators, rates, ungraded
from refusalbench_tasks.metrics.refusal_values import WITH_INTERVALS
from refusalbench_tasks.report.compared import Comparison, decision, differences
from refusalbench_tasks.report.replies import Replies

_CHOSEN = [METRICS.index(name) for name in WITH_INTERVALS]


def refusal_comparison(first: Replies, other: Replies, resamples: int, seed: int) -> Comparison:
    """Return the comparison over the samples that are decided in both. Raises DataError if there is none.

    Where one log's attempt is ungraded, the other's reply counts as ungraded too, refusal or not: leaving out the pair
    would leave out answers and keep refusals.
    """
    shared = sorted(set(first.outcomes) & set(other.outcomes))
    if not shared:
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    pairs = [(first.outcomes[key], other.outcomes[key]) for key in shared]
    decided = [(x, y) for x, y in pairs if x.predicted is not None and y.predicted is not None]
    if not decided:
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    a, b = [x for x, _ in decided], [y for _, y in decided]
    clusters = [outcome.cluster for outcome in a]
    known = np.array([x.right is not None and y.right is not None for x, y in decided])
    of_graded = [name for name, both in zip(clusters, known, strict=True) if both]
    graded = [(x.right is True, y.right is True) for (x, y), both in zip(decided, known, strict=True) if both]

    def statistic(totals: Floats) -> Floats:
        chosen: Floats = rates(totals, first.protocol)[..., _CHOSEN]
        return chosen

    cells = [ungraded(count_rows(rows), ~known) for rows in (a, b)]
    return Comparison(
        a=first,
        b=other,
        n=len(decided),
        clusters=len(set(clusters)),
        only_a=len(first.outcomes) - len(shared),
        only_b=len(other.outcomes) - len(shared),
        undecided=len(shared) - len(decided),
        ungraded=int((~known).sum()),
        differences=differences(
            WITH_INTERVALS, cells[0], cells[1], clusters, statistic, resamples, seed, _rows(cells[0], first.protocol)
        ),
        decisions=(
            decision("refused", [_refuses(x) for x in a], [_refuses(y) for y in b], clusters, resamples, seed),
            decision("right", [x for x, _ in graded], [y for _, y in graded], of_graded, resamples, seed),
        ),
    )


def _rows(cells: Floats, protocol: Protocol) -> list[float]:
    """Return the rows behind each metric, as the first log has them."""
    found = denominators(cells.sum(axis=0), protocol)
    return [found[name] for name in WITH_INTERVALS]


def _refuses(outcome: Outcome) -> bool:
    return outcome.predicted is not None and outcome.predicted.is_refusal
