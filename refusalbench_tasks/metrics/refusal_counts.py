"""What each reply of the refusal tasks adds to each count, whose sums the metrics are
functions of.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.estimate import NAN
from refusalbench_tasks.taxonomy import CLASSES, Label, code_of

from .named_sums import NamedSums, named_sums
from .reply_columns import (
    LEAST_COVERAGE,
    cluster_index,
    no_reply,
    protocol_of,
)


def count_columns(table: "pd.DataFrame") -> dict[str, Floats]:
    """Return what each row of a table of replies adds to each count, by the count's
    name, shape (n,), each 0 or 1.

    A row without a score (an error) is in no count. `every_answerable` and
    `every_unanswerable` are the rows of the data, whatever is known of their replies.
    `official-code` counts unscored rows among those of both sides, and ungraded
    attempts among the graded, and has a refusal rate of the unanswerable rows alone.
    """
    official = protocol_of(table) == "official-code"
    expected = table["expected"].to_numpy()
    predicted = table["predicted"].to_numpy()
    right = table["right"].to_numpy()
    codes = table["codes"].to_numpy()
    outcome = table["outcome"].to_numpy()
    unscored = outcome == "unscored"
    decided = outcome == "decided"
    none = outcome == "no_reply"
    known = decided | none
    is_answerable = expected == Label.ANSWER
    every_row = known | unscored
    every_answerable = every_row & is_answerable
    every_unanswerable = every_row & ~is_answerable
    counted = every_row if official else known
    answerable = counted & is_answerable
    unanswerable = counted & ~is_answerable
    answered = decided & (predicted == Label.ANSWER)
    refused = decided & ~answered
    refusals = refused & ~is_answerable
    refusable = unanswerable if official else counted
    # a refusal and no reply are known to be incorrect
    ungraded = np.isnan(right)
    graded = known & is_answerable & ~ungraded
    # where a code was asked for, and that of a refusal is known
    coded = known & ~is_answerable & codes & ~(refused & ungraded)
    hits = coded & (predicted == expected)
    counts = {
        "every_row": every_row,
        "every_answerable": every_answerable,
        "every_unanswerable": every_unanswerable,
        "unscored": unscored,
        "rows": counted,
        "answerable": answerable,
        "unanswerable": unanswerable,
        "refusable": refusable,
        "graded": graded,
        "correct": graded & (right == 1),
        "ungraded": answered & is_answerable & ~graded,
        "coded": coded,
        "coded_refusals": coded & refused,
        "hits": hits,
        # with any code
        "refusals": refusals,
        "all_refusals": refused & refusable,
        "false_refusals": refused & is_answerable,
        "missed": answered & ~is_answerable,
        # known to have given a reply, or to have given none
        "asked": ~np.isnan(no_reply(table)),
        "no_reply": none,
        # without rows of the other side any refusal would be a perfect detection
        "other_side": answerable,
        "official": np.full(len(table), official),
    }
    if official:
        counts["graded"] = every_answerable
        counts["coded"] = coded | (unscored & ~is_answerable)
        counts["other_side"] = unanswerable
    for name in CLASSES:
        of_class = coded & (expected == code_of(name).value)
        counts[f"{name} rows"] = of_class
        counts[f"{name} hits"] = hits & of_class
    return {name: count.astype(np.float64) for name, count in counts.items()}


def count_sums(
    table: "pd.DataFrame",
    inside: "pd.Series[bool] | None" = None,
) -> NamedSums:
    """Return the sums of counts of each cluster of replies, of all or of those inside a
    group.

    What is undefined in `official-code` is 0.
    """
    undefined = 0.0 if protocol_of(table) == "official-code" else NAN
    columns = count_columns(table)
    if inside is not None:
        group = inside.to_numpy()
        columns = {name: count * group for name, count in columns.items()}
    return named_sums(
        columns,
        cluster_index(table),
        undefined=undefined,
    )


class Bounds(NamedTuple):
    """The lowest and the highest value that a rate could have."""

    low: float
    high: float


def rate_bounds(table: "pd.DataFrame") -> dict[str, Bounds]:
    """Return the bounds of four rates over scored rows, with every unknown row against
    and for the rate.

    With k rows known to count, n known and u unknown: k / (n + u) to (k + u) / (n + u)
    (Manski 1989). Unknown are undecided rows, and for the accuracies ungraded attempts
    and refusals without a known code. NaN without rows.
    """
    columns = count_columns(table.assign(protocol="paper"))
    c = {name: float(column.sum()) for name, column in columns.items()}
    answerable = c["every_answerable"] - c["answerable"]
    unanswerable = c["every_unanswerable"] - c["unanswerable"]
    uncoded = c["unanswerable"] - c["coded"]
    parts = {
        "answer_accuracy": (c["correct"], c["graded"], answerable + c["ungraded"]),
        "refusal_accuracy": (c["hits"], c["coded"], unanswerable + uncoded),
        "false_refusal_rate": (c["false_refusals"], c["answerable"], answerable),
        "missed_refusal_rate": (c["missed"], c["unanswerable"], unanswerable),
    }
    bounds = {}
    for name, (k, n, u) in parts.items():
        rows = n + u or NAN
        bounds[name] = Bounds(k / rows, (k + u) / rows)
    return bounds


def hides_accuracy(table: "pd.DataFrame") -> bool:
    """Whether what is graded of a table's replies is no fair part of its answers.

    Refusals are known to be wrong and answers may not be known, so at least
    `LEAST_COVERAGE` of the answerable rows have to be graded. Without a grader it has
    to be every one of them: those that are graded then are the plainly right ones.
    """
    columns = count_columns(table)
    every = columns["every_answerable"].sum()
    few = bool(columns["graded"].sum() < LEAST_COVERAGE * every)
    return few or (not any(table["graders"]) and bool(columns["ungraded"].any()))
