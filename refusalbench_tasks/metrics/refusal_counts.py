"""Replies of the refusal tasks as vectors of counts, whose sums the metrics are functions of."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.taxonomy import CLASSES, Label, code_of

if TYPE_CHECKING:
    import pandas as pd

_COUNTS = (
    "answerable",  # answerable rows whose reply is known, which it also is where the model gave none
    "false_refusals",
    "graded",  # answerable rows whose correctness is known (a refusal and no reply are known to be incorrect)
    "correct",
    "ungraded",  # attempts on answerable rows that were decided, but not graded
    "unanswerable",  # unanswerable rows whose reply is known
    "refusals",
    "missed",
    "coded",  # unanswerable rows whose reply is known, where a code was asked for
    "coded_refusals",
    "hits",
    "no_reply",
    "unscored_answerable",
    "unscored_unanswerable",
)
_CLASS_N = len(_COUNTS)
_CLASS_HITS = _CLASS_N + len(CLASSES)
WIDTH = _CLASS_HITS + len(CLASSES)
"""Length of a count vector: the counts above, then the rows with a known reply and the hits of each class."""


def count_vectors(table: "pd.DataFrame") -> Floats:
    """Return one count vector per row of a table of replies, shape (n, WIDTH), entries 0 or 1.

    Sums of vectors are count vectors too. A row without a score (an error) is in no count.
    """
    expected, predicted = table["expected"].to_numpy(), table["predicted"].to_numpy()
    right, codes, outcome = table["right"].to_numpy(), table["codes"].to_numpy(), table["outcome"].to_numpy()
    decided, none, unscored = (outcome == kind for kind in ("decided", "no_reply", "unscored"))
    known, answerable = decided | none, expected == Label.ANSWER.value
    answered = decided & (predicted == Label.ANSWER.value)
    refused = decided & ~answered
    graded = known & answerable & ~np.isnan(right)
    coded = known & ~answerable & codes
    hits = coded & (predicted == expected)
    of_class = [coded & (expected == code_of(one).value) for one in CLASSES]
    columns = {
        "answerable": known & answerable,
        "false_refusals": refused & answerable,
        "graded": graded,
        "correct": graded & (right == 1),
        "ungraded": answered & answerable & ~graded,
        "unanswerable": known & ~answerable,
        "refusals": refused & ~answerable,
        "missed": answered & ~answerable,
        "coded": coded,
        "coded_refusals": coded & refused,
        "hits": hits,
        "no_reply": none,
        "unscored_answerable": unscored & answerable,
        "unscored_unanswerable": unscored & ~answerable,
    }
    listed = [*(columns[name] for name in _COUNTS), *of_class, *(hits & one for one in of_class)]
    return np.stack(listed, axis=-1).astype(np.float64)


def ungraded(counts: Floats, chosen: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Floats:
    """Return count vectors, shape (n, WIDTH), in which the chosen answerable rows are decided but not graded."""
    result = counts.copy()
    lost = chosen & (counts[:, _at("graded")] == 1)
    result[lost, _at("graded")] = result[lost, _at("correct")] = 0
    result[lost, _at("ungraded")] = 1
    return result


def _at(name: str) -> int:
    return _COUNTS.index(name)


def counts_by_name(counts: Floats) -> dict[str, float]:
    """Return the named counts of one count vector."""
    return {name: float(counts[i]) for i, name in enumerate(_COUNTS)}


@dataclass(frozen=True)
class Counts:
    """What the metrics are made of: columns of count vectors, each of shape (...), as a protocol counts them."""

    official: bool
    answerable: Floats
    false_refusals: Floats
    graded: Floats
    correct: Floats
    unanswerable: Floats
    refusals: Floats
    """Refusals of unanswerable rows, with any code."""
    missed: Floats
    """Unanswerable rows that were answered."""
    coded: Floats
    """Unanswerable rows where a code was asked for."""
    coded_refusals: Floats
    hits: Floats
    no_reply: Floats
    unscored: Floats
    every_answerable: Floats
    """The answerable rows of the data, whatever is known of their replies."""
    every_unanswerable: Floats
    class_rows: Floats
    """Rows of each class with a known reply, shape (..., classes)."""
    class_hits: Floats

    @property
    def rows(self) -> Floats:
        """Return the rows of both sides."""
        return self.answerable + self.unanswerable

    @property
    def every_row(self) -> Floats:
        """Return the rows of the data."""
        return self.every_answerable + self.every_unanswerable


def columns(counts: Floats, protocol: Protocol) -> Counts:
    """Return the columns of count vectors, shape (..., WIDTH); `official-code` counts unscored rows as rows."""
    named = {name: counts[..., i] for i, name in enumerate(_COUNTS)}
    official = protocol == "official-code"
    lost_answerable = float(official) * named["unscored_answerable"]
    lost_unanswerable = float(official) * named["unscored_unanswerable"]
    same = ("false_refusals", "correct", "refusals", "missed", "coded_refusals", "hits", "no_reply")
    return Counts(
        official=official,
        answerable=named["answerable"] + lost_answerable,
        graded=named["graded"] + lost_answerable + float(official) * named["ungraded"],
        unanswerable=named["unanswerable"] + lost_unanswerable,
        coded=named["coded"] + lost_unanswerable,
        unscored=named["unscored_answerable"] + named["unscored_unanswerable"],
        every_answerable=named["answerable"] + named["unscored_answerable"],
        every_unanswerable=named["unanswerable"] + named["unscored_unanswerable"],
        class_rows=counts[..., _CLASS_N:_CLASS_HITS],
        class_hits=counts[..., _CLASS_HITS:],
        **{name: named[name] for name in same},
    )
