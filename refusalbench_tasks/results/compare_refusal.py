"""Two runs of `nq` or `garage`, row by row."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import OF_ANSWERS, OF_CONTROLS, few_graded, main_metrics, rates, sizes
from refusalbench_tasks.metrics.refusal_counts import count_vectors, ungraded
from refusalbench_tasks.metrics.refusal_shares import consistency_shares
from refusalbench_tasks.metrics.reply_table import cluster_index, main_rows
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
from refusalbench_tasks.stats.proportion import ratios
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

_MIXED = (
    "only one of the two runs was asked for refusal codes: categories are not compared, and any refusal that is due "
    "counts as right in both"
)


def refusal_comparison(first: Run, other: Run, draws: Draws) -> Comparison:
    """Return the comparison over the samples that are decided in both. Raises DataError if there is none.

    Where one run's attempt is ungraded, the other's reply counts as ungraded too, refusal or not: leaving out the pair
    would leave out answers and keep refusals.
    """
    mixed = _coded(first) != _coded(other)
    sides = [_without_codes(run.replies) if mixed else run.replies for run in (first, other)]
    mains = [main_rows(side) for side in sides]
    a, b = paired(*mains)
    shared = len(a)
    decided = (a["outcome"] != "unscored") & (b["outcome"] != "unscored")
    a, b = a[decided].reset_index(drop=True), b[decided].reset_index(drop=True)
    controls = _of_controls(first, other, sides, draws)
    if not len(a) and not controls:
        what = "that is decided in both" if shared else "in common"
        raise DataError(f"{other.name} and {first.name} have no sample {what}")
    places = cluster_index(a, shared_cluster(first, other))
    known = (a["right"].notna() & b["right"].notna()).to_numpy()
    names = tuple(name for name in _metrics(sides[0]) if name in _metrics(sides[1]))
    main = differences(_rates(a, b, (first, other), names), draws) if len(a) else ()
    refused = [(side["predicted"] != "") & (side["predicted"] != Label.ANSWER.value) for side in (a, b)]
    return Comparison(
        first,
        other,
        n=len(a),
        questions=a["cluster"].nunique(),
        only_a=len(mains[0]) - shared,
        only_b=len(mains[1]) - shared,
        undecided=shared - len(a),
        ungraded=int((~known).sum()),
        differences=(*main, *_of_pairs(a, b, draws), *controls),
        tests=(
            paired_test("refused", refused[0], refused[1], places, draws),
            paired_test("right", a["right"][known] == 1, b["right"][known] == 1, places[known], draws),
        ),
        note=_MIXED if mixed else "",
    )


def _coded(run: Run) -> bool:
    return bool(run.replies["codes"].all())


def _metrics(table: "pd.DataFrame") -> tuple[str, ...]:
    return main_metrics(bool(table["grounded"].any()), bool(table["codes"].all()))


def _without_codes(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return replies as they are where no codes were asked for: any refusal that is due is right."""
    refused = (table["predicted"] != "") & (table["predicted"] != Label.ANSWER.value)
    due = (table["expected"] != Label.ANSWER.value) & (table["outcome"] == "decided")
    return table.assign(codes=False, right=table["right"].where(~due, refused.astype(float)))


def _rates(a: "pd.DataFrame", b: "pd.DataFrame", runs: tuple[Run, Run], names: tuple[str, ...]) -> Quantity:
    protocol = runs[0].protocol
    lost = ~(a["right"].notna() & b["right"].notna()).to_numpy()
    cells = [ungraded(count_vectors(side), lost) for side in (a, b)]
    few = protocol == "paper" and any(few_graded(side.sum(axis=0)) for side in cells)
    unknown = np.array([few and name in OF_ANSWERS for name in names])
    return Quantity(
        names,
        cells[0],
        cells[1],
        cluster_index(a, shared_cluster(*runs)),
        lambda totals: np.where(unknown, np.nan, rates(totals, protocol, names)),
        lambda totals: sizes(totals, protocol, names),
    )


def _of_pairs(a: "pd.DataFrame", b: "pd.DataFrame", draws: Draws) -> tuple[Difference, ...]:
    """Return the differences over the pairs and quads whose rows are all known in both; none without pairs."""
    one, two = consistency_shares(a), consistency_shares(b)
    if not one or not two:
        return ()
    cells = [np.column_stack([pair[part] for part in (0, 1) for pair in side.values()]) for side in (one, two)]
    complete = cells[0][:, 2:] * cells[1][:, 2:]
    cells = [np.hstack([side[:, :2] * complete, complete]).astype(float) for side in cells]
    # by quad whatever the runs were told: a group is never cut
    quantity = Quantity(
        tuple(one),
        cells[0],
        cells[1],
        cluster_index(a, "question"),
        lambda totals: ratios(totals[..., :2], totals[..., 2:]),
        lambda totals: totals[..., 2:],
    )
    return differences(quantity, draws)


def _of_controls(first: Run, other: Run, sides: "list[pd.DataFrame]", draws: Draws) -> tuple[Difference, ...]:
    """Return the differences on the unperturbed controls that are decided in both; none without such."""
    a, b = paired(*(side[side["control"]] for side in sides))
    decided = (a["outcome"] != "unscored") & (b["outcome"] != "unscored")
    if not decided.any():
        return ()
    quantity = _rates(a[decided], b[decided], (first, other), OF_CONTROLS)
    found = differences(quantity, draws)
    return tuple(replace(one, metric=f"control_{one.metric}") for one in found)
