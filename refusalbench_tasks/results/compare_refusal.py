"""Two runs of `nq` or `garage`, row by row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.metrics.refusal_counts import (
    count_vectors,
    hides_accuracy,
    ungraded,
)
from refusalbench_tasks.metrics.refusal_metrics import (
    CONTROL,
    OF_ANSWERS,
    OF_CONTROLS,
    main_metrics,
    rates,
    sizes,
)
from refusalbench_tasks.metrics.refusal_shares import consistency_shares
from refusalbench_tasks.metrics.reply_columns import cluster_index
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.results.paired_replies import (
    Family,
    Pairing,
    Quantity,
    decided,
    paired,
    ratio_quantity,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.cluster import Floats, Mask
from refusalbench_tasks.taxonomy import Label

if TYPE_CHECKING:
    import pandas as pd

_MIXED = (
    "only one of the two runs was asked for refusal codes: categories are not compared,"
    " and any refusal that is due counts as right in both"
)


def _replies(first: Run, other: Run) -> "tuple[pd.DataFrame, pd.DataFrame, str]":
    """Return the replies of both runs, those of neither with codes where only one was
    asked for them.
    """
    if _coded(first) == _coded(other):
        return first.replies, other.replies, ""
    return _without_codes(first.replies), _without_codes(other.replies), _MIXED


def _coded(run: Run) -> bool:
    return bool(run.replies["codes"].all())


def _metrics(table: "pd.DataFrame") -> tuple[str, ...]:
    return main_metrics(bool(table["grounded"].any()), bool(table["codes"].all()))


def _without_codes(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return replies as they are where no codes were asked for: any refusal that is due
    is right.
    """
    refused = (table["predicted"] != "") & (table["predicted"] != Label.ANSWER.value)
    due = (table["expected"] != Label.ANSWER.value) & (table["outcome"] == "decided")
    return table.assign(
        codes=False, right=table["right"].where(~due, refused.astype(float))
    )


def _judged(table: "pd.DataFrame") -> tuple[Mask, Floats]:
    refused: Mask = (~table["predicted"].isin(["", Label.ANSWER.value])).to_numpy(bool)
    return refused, table["right"].to_numpy(float)


def _quantities(of: Pairing) -> list[Quantity]:
    """Return the main metrics, those of pairs and quads, and those of controls, as far
    as both runs have them.
    """
    found = []
    if len(of.a):
        names = [
            name for name in _metrics(of.sides[0]) if name in _metrics(of.sides[1])
        ]
        found = [_rates(of.a, of.b, of.lost, names, of.first), *_of_pairs(of.a, of.b)]
    a, b = decided(*paired(*(side[side["control"]] for side in of.sides)))
    if len(a):
        controls = _rates(
            a, b, np.isnan(a["right"]) | np.isnan(b["right"]), OF_CONTROLS, of.first
        )
        found.append(
            replace(controls, names=[f"{CONTROL}{name}" for name in OF_CONTROLS])
        )
    return found


def _rates(
    a: "pd.DataFrame", b: "pd.DataFrame", lost: Mask, names: Sequence[str], run: Run
) -> Quantity:
    """Return metrics of paired rows.

    Where one run's attempt is ungraded, the other's reply counts as ungraded too,
    refusal or not: leaving out the pair would leave out answers and keep refusals.
    """
    protocol = run.protocol
    cells = [ungraded(count_vectors(side), np.asarray(lost)) for side in (a, b)]
    has_graders = any(a["graders"]) and any(b["graders"])
    hidden = protocol == "paper" and any(
        hides_accuracy(side.sum(axis=0), has_graders) for side in cells
    )
    unknown = np.array([hidden and name in OF_ANSWERS for name in names])
    return Quantity(
        names,
        cells[0],
        cells[1],
        cluster_index(a),
        lambda totals: np.where(unknown, np.nan, rates(totals, protocol, names)),
        lambda totals: sizes(totals, protocol, names),
    )


def _of_pairs(a: "pd.DataFrame", b: "pd.DataFrame") -> list[Quantity]:
    """Return the consistency of the pairs and quads whose rows are all known in both;
    nothing without pairs.
    """
    one = consistency_shares(a)
    two = consistency_shares(b)
    if not one or not two:
        return []
    first, other = (
        np.column_stack([pair[k] for k in (0, 1) for pair in side.values()])
        for side in (one, two)
    )
    complete = first[:, 2:] * other[:, 2:]
    first, other = (
        np.hstack([side[:, :2] * complete, complete]).astype(float)
        for side in (first, other)
    )
    # by quad whatever the runs were told: a group is never cut
    return [ratio_quantity(tuple(one), first, other, cluster_index(a, "question"))]


REFUSAL_FAMILY = Family(_replies, main_rows, _judged, _quantities)
