"""Two runs of `bluff`, reply by reply and pair by pair."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.hedging_columns import columns, published, unit_places
from refusalbench_tasks.metrics.hedging_index import WRONG_BELOW
from refusalbench_tasks.metrics.hedging_measures import MEASURES, Measure
from refusalbench_tasks.metrics.hedging_pairs import pair_columns, pairs
from refusalbench_tasks.results.comparison import (
    Comparison,
    Difference,
    Draws,
    Quantity,
    differences,
    paired,
    paired_test,
    shared_cluster,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, Mask, places_of

if TYPE_CHECKING:
    import pandas as pd

PAIRED = ("asi", "confidence_drop", "hedging_difference")
COMPARED = ("vui", "hedge_lift", "refusal_sensitivity", "answer_correctness", "refusal_rate", "faithfulness")
"""The measures of replies, and before them those of pairs of replies, by which runs are compared."""


def hedging_comparison(first: Run, other: Run, draws: Draws) -> Comparison:
    """Return the comparison over the replies that are decided in both. Raises DataError if there is none.

    Measures count the replies of each run that they are about (answers, for the VUI); where one run's answer is
    ungraded, the other's counts as ungraded too. The paired measures need both arms of a question answered, with a
    confidence, in both runs.
    """
    cluster = shared_cluster(first, other)
    every = [published(run.replies).assign(cluster_by=cluster) for run in (first, other)]
    a, b = paired(*every)
    if not len(a):
        raise DataError(f"{other.name} and {first.name} have no sample in common")
    shared = len(a)
    of_pairs = _of_pairs(a, b, first, draws)
    decided = (a["outcome"] != "unscored") & (b["outcome"] != "unscored")
    if not decided.any():
        raise DataError(f"{other.name} and {first.name} have no sample that is decided in both")
    a, b = a[decided].reset_index(drop=True), b[decided].reset_index(drop=True)
    lost = _ungraded(a) | _ungraded(b)
    places = unit_places(a)
    right = [((side["refused"] == 0) & (side["correctness"] >= WRONG_BELOW))[~lost] for side in (a, b)]
    return Comparison(
        first,
        other,
        n=len(a),
        questions=a["question"].nunique(),
        only_a=len(every[0]) - shared,
        only_b=len(every[1]) - shared,
        undecided=shared - len(a),
        ungraded=int(lost.sum()),
        differences=(*of_pairs, *_of_replies(a, b, lost, draws)),
        tests=(
            paired_test("refused", a["refused"] == 1, b["refused"] == 1, places, draws),
            paired_test("right", right[0], right[1], places[~lost], draws),
        ),
    )


def _ungraded(table: "pd.DataFrame") -> Mask:
    """Return which answers nobody graded; a refusal is known to be none, and a missing reply is known to be wrong."""
    answered = (table["refused"] == 0) & (table["outcome"] == "decided")
    unknown: Mask = (answered & table["correctness"].isna()).to_numpy(bool)
    return unknown


def _of_replies(a: "pd.DataFrame", b: "pd.DataFrame", lost: Mask, draws: Draws) -> tuple[Difference, ...]:
    sides = []
    for side in (a, b):
        of = dict(columns(side.assign(correctness=side["correctness"].mask(lost))))
        # a refusal's credit would be counted, where the other run's answer is not
        of["answer_correctness"] = np.where(lost, np.nan, of["answer_correctness"])
        sides.append(of)
    places = unit_places(a)
    found: list[Difference] = []
    for name in COMPARED:
        one = MEASURES[name]
        cells = [np.column_stack(one.cells(of)).astype(float) for of in sides]
        # faithfulness is that of replies that are measured in both runs
        kept = np.minimum(*(side[:, -1] for side in cells)) > (0 if name == "faithfulness" else -1)
        quantity = Quantity(
            (name,), cells[0][kept], cells[1][kept], places[kept], one.statistic, partial(_size, one), one.share
        )
        found += differences(quantity, draws)
    return tuple(found)


def _size(measure: Measure, sums: Floats) -> Floats:
    return measure.n(sums)[..., None]


def _of_pairs(a: "pd.DataFrame", b: "pd.DataFrame", run: Run, draws: Draws) -> tuple[Difference, ...]:
    """Return the differences over the pairs that are kept in both runs."""
    one, other = (pairs(side).set_index(["item", "epoch"], drop=False) for side in (a, b))
    kept = one.index[one["dropped"] == ""].intersection(other.index[other["dropped"] == ""])
    units = places_of(list(one.loc[kept, "unit"]))
    of = [pair_columns(side.loc[kept], run.protocol) for side in (one, other)]
    cells = [np.column_stack([*(side[name] for name in PAIRED), np.ones(len(kept))]) for side in of]
    quantity = Quantity(
        PAIRED,
        cells[0],
        cells[1],
        units,
        lambda sums: sums[..., :-1] / np.where(sums[..., -1:] > 0, sums[..., -1:], np.nan),
        lambda sums: np.repeat(sums[..., -1:], len(PAIRED), axis=-1),
        share=False,
    )
    return differences(quantity, draws)
