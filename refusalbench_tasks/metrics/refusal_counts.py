"""Replies of the refusal tasks as vectors of counts, whose sums the metrics are
functions of.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from refusalbench_tasks.metrics.metric import Sums
from refusalbench_tasks.metrics.reply_columns import LEAST_COVERAGE, no_reply
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats, Mask
from refusalbench_tasks.taxonomy import CLASSES, Label, code_of

if TYPE_CHECKING:
    import pandas as pd

_COUNTS = (
    "answerable",
    "false_refusals",
    "graded",
    "correct",
    "ungraded",
    "unanswerable",
    "refusals",
    "missed",
    "coded",
    "coded_refusals",
    "hits",
    "asked",
    "no_reply",
    "unscored_answerable",
    "unscored_unanswerable",
)
_PLACES = {name: i for i, name in enumerate(_COUNTS)}
_CLASS_N = len(_COUNTS)
_CLASS_HITS = _CLASS_N + len(CLASSES)
WIDTH = _CLASS_HITS + len(CLASSES)
"""Length of a count vector: the counts above, then the rows with a known reply and the
hits of each class.
"""


def count_vectors(table: "pd.DataFrame") -> Floats:
    """Return one count vector per row of a table of replies, shape (n, WIDTH), entries
    0 or 1.

    Sums of vectors are count vectors too. A row without a score (an error) is in no
    count.
    """
    expected = table["expected"].to_numpy()
    predicted = table["predicted"].to_numpy()
    right = table["right"].to_numpy()
    codes = table["codes"].to_numpy()
    outcome = table["outcome"].to_numpy()
    decided, none, unscored = (
        outcome == kind for kind in ("decided", "no_reply", "unscored")
    )
    known = decided | none
    answerable = expected == Label.ANSWER.value
    answered = decided & (predicted == Label.ANSWER.value)
    refused = decided & ~answered
    graded = known & answerable & ~np.isnan(right)
    coded = known & ~answerable & codes & ~(refused & np.isnan(right))
    hits = coded & (predicted == expected)
    of_class = [coded & (expected == code_of(one).value) for one in CLASSES]
    counts = {
        "answerable": known & answerable,
        "false_refusals": refused & answerable,
        # a refusal and no reply are known to be incorrect
        "graded": graded,
        "correct": graded & (right == 1),
        "ungraded": answered & answerable & ~graded,
        "unanswerable": known & ~answerable,
        # with any code
        "refusals": refused & ~answerable,
        "missed": answered & ~answerable,
        # where a code was asked for, and that of a refusal is known
        "coded": coded,
        "coded_refusals": coded & refused,
        "hits": hits,
        # known to have given a reply, or to have given none
        "asked": ~np.isnan(no_reply(table)),
        "no_reply": none,
        "unscored_answerable": unscored & answerable,
        "unscored_unanswerable": unscored & ~answerable,
    }
    listed = [
        *(counts[name] for name in _COUNTS),
        *of_class,
        *(hits & one for one in of_class),
    ]
    return np.stack(listed, axis=-1).astype(np.float64)


def ungraded(counts: Floats, chosen: Mask) -> Floats:
    """Return count vectors, shape (n, WIDTH), in which the chosen answerable rows are
    decided but not graded.
    """
    result = counts.copy()
    graded = _PLACES["graded"]
    lost = chosen & (counts[:, graded] == 1)
    result[lost, graded] = result[lost, _PLACES["correct"]] = 0
    result[lost, _PLACES["ungraded"]] = 1
    return result


def columns(sums: Floats, protocol: Protocol = "paper") -> Sums:
    """Return what metrics are made of: columns of count vectors by name, each of shape
    (...), as a protocol has them.

    `official-code` counts unscored rows among those of both sides, and ungraded
    attempts among the graded, and has a refusal rate of the unanswerable rows alone.
    `every_answerable` and `every_unanswerable` are the rows of the data, whatever is
    known of their replies. `both_sides` is 0 where rows of one side are missing:
    without answerable rows any refusal would be a perfect detection.
    """
    c = {name: sums[..., i] for i, name in enumerate(_COUNTS)}
    official = protocol == "official-code"
    every = {
        side: c[side] + c[f"unscored_{side}"] for side in ("answerable", "unanswerable")
    }
    c |= {f"every_{side}": rows for side, rows in every.items()}
    c |= {
        "every_row": every["answerable"] + every["unanswerable"],
        "unscored": c["unscored_answerable"] + c["unscored_unanswerable"],
    }
    if official:
        c |= every
        c["graded"] = every["answerable"]
        c["coded"] = c["coded"] + c["unscored_unanswerable"]
    rows = c["answerable"] + c["unanswerable"]
    return c | {
        "official": np.array(official),
        "rows": rows,
        "all_refusals": c["refusals"]
        if official
        else c["refusals"] + c["false_refusals"],
        "refusable": c["unanswerable"] if official else rows,
        "both_sides": c["unanswerable"]
        if official
        else np.minimum(c["answerable"], c["unanswerable"]),
        "class_rows": sums[..., _CLASS_N:_CLASS_HITS],
        "class_hits": sums[..., _CLASS_HITS:],
    }


class Bounds(NamedTuple):
    """The lowest and the highest value that a rate could have, and how many of its rows
    are not known.
    """

    low: float
    high: float
    unknown: int


def rate_bounds(
    counts: Floats, lost_answerable: int = 0, lost_unanswerable: int = 0
) -> dict[str, Bounds]:
    """Return the bounds of four rates over all rows, with every unknown row against and
    for the rate.

    `counts` is a count vector; `lost_...` are rows without a score (errors). With k
    rows known to count, n known and u unknown: k / (n + u) to (k + u) / (n + u) (Manski
    1989). Unknown are undecided and lost rows, and for the accuracies ungraded attempts
    and refusals without a known code. NaN without rows.
    """
    c = {name: float(one) for name, one in columns(counts).items() if one.ndim == 0}
    answerable = c["unscored_answerable"] + lost_answerable
    unanswerable = c["unscored_unanswerable"] + lost_unanswerable
    parts = {
        "answer_accuracy": (c["correct"], c["graded"], answerable + c["ungraded"]),
        "refusal_accuracy": (
            c["hits"],
            c["coded"],
            unanswerable + c["unanswerable"] - c["coded"],
        ),
        "false_refusal_rate": (c["false_refusals"], c["answerable"], answerable),
        "missed_refusal_rate": (c["missed"], c["unanswerable"], unanswerable),
    }
    nan = float("nan")
    return {
        name: Bounds(k / (n + u), (k + u) / (n + u), int(u))
        if n + u
        else Bounds(nan, nan, 0)
        for name, (k, n, u) in parts.items()
    }


def hides_accuracy(totals: Floats, has_graders: bool) -> bool:
    """Whether what is graded in a sum of count vectors is no fair part of the answers.

    Refusals are known to be wrong and answers may not be known, so at least
    `LEAST_COVERAGE` of the answerable rows have to be graded. Without a grader it has
    to be every one of them: those that are graded then are the plainly right ones.
    """
    c = columns(totals)
    few = bool(c["graded"] < LEAST_COVERAGE * c["every_answerable"])
    return few or (not has_graders and bool(c["ungraded"] > 0))
