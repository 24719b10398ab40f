"""Replies of the refusal tasks as vectors of counts, whose sums the metrics are functions of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.outcome import Outcome, Protocol
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.taxonomy import CLASSES, Label, class_of

_COUNTS = (
    "answerable",  # answerable rows whose reply was decided
    "false_refusals",
    "graded",  # answerable rows whose correctness is known (a refusal is known to be incorrect)
    "correct",
    "unanswerable",  # unanswerable rows whose reply was decided
    "refusals",
    "hits",
    "undecided_answerable",
    "undecided_unanswerable",
    "ungraded",  # attempts on answerable rows that were decided, but not graded
    "coded",  # decided unanswerable rows where a code was asked for
    "coded_refusals",
)
_CLASS_N = len(_COUNTS)
_CLASS_HITS = _CLASS_N + len(CLASSES)
WIDTH = _CLASS_HITS + len(CLASSES)
"""Length of a count vector: the counts above, then the decided rows and the hits of each class."""


def count_rows(outcomes: Sequence[Outcome]) -> Floats:
    """Return one count vector per outcome, shape (n, WIDTH), entries 0 or 1. Sums of rows are count vectors too."""
    # thousands of outcomes are of few kinds, and each kind has one vector
    kinds: dict[tuple[Label, Label | None, bool | None, bool], int] = {}
    index = [kinds.setdefault((one.expected, one.predicted, one.correct, one.codes), len(kinds)) for one in outcomes]
    vectors = np.zeros((len(kinds), WIDTH))
    for vector, (expected, predicted, correct, codes) in zip(vectors, kinds, strict=True):
        _mark(vector, Outcome(expected, predicted, correct, "", codes))
    counts: Floats = vectors[np.array(index, dtype=np.intp)]
    return counts


def _mark(row: Floats, outcome: Outcome) -> None:
    answerable = outcome.expected is Label.ANSWER
    if outcome.predicted is None:
        row[_at("undecided_answerable" if answerable else "undecided_unanswerable")] = 1
        return
    refused = outcome.predicted.is_refusal
    if answerable:
        row[_at("answerable")] = 1
        row[_at("false_refusals")] = refused
        row[_at("graded")] = outcome.right is not None
        row[_at("correct")] = outcome.right is True
        row[_at("ungraded")] = outcome.right is None
        return
    hit = outcome.predicted is outcome.expected
    row[_at("unanswerable")] = 1
    row[_at("refusals")] = refused
    if not outcome.codes:
        return
    row[_at("coded")] = 1
    row[_at("coded_refusals")] = refused
    row[_at("hits")] = hit
    perturbation = class_of(outcome.expected)
    if perturbation is not None:
        row[_CLASS_N + CLASSES.index(perturbation)] = 1
        row[_CLASS_HITS + CLASSES.index(perturbation)] = hit


def ungraded(counts: Floats, chosen: NDArray[np.bool_]) -> Floats:
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
    class_rows: Floats
    """Decided rows of each class, shape (..., classes)."""
    class_hits: Floats

    @property
    def rows(self) -> Floats:
        """Return the rows of both sides."""
        return self.answerable + self.unanswerable


def columns(counts: Floats, protocol: Protocol) -> Counts:
    """Return the columns of count vectors, shape (..., WIDTH); `official-code` counts undecided rows as rows."""
    named = {name: counts[..., i] for i, name in enumerate(_COUNTS)}
    official = protocol == "official-code"
    lost = float(official)
    return Counts(
        official,
        named["answerable"] + lost * named["undecided_answerable"],
        named["false_refusals"],
        named["graded"] + lost * (named["ungraded"] + named["undecided_answerable"]),
        named["correct"],
        named["unanswerable"] + lost * named["undecided_unanswerable"],
        named["refusals"],
        named["unanswerable"] - named["refusals"],
        named["coded"] + lost * named["undecided_unanswerable"],
        named["coded_refusals"],
        named["hits"],
        counts[..., _CLASS_N:_CLASS_HITS],
        counts[..., _CLASS_HITS:],
    )
