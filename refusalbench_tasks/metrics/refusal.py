"""The refusal metrics of RefusalBench (paper App. D) as functions of counts, so that they can be resampled."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.outcome import Outcome, Protocol
from refusalbench_tasks.taxonomy import CLASSES, Label, class_of

Floats = NDArray[np.float64]


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
)
_CLASS_N = len(_COUNTS)
_CLASS_HITS = _CLASS_N + len(CLASSES)
WIDTH = _CLASS_HITS + len(CLASSES)
"""Length of a count vector: the counts above, then the decided rows and the hits of each class."""

METRICS = (
    "answer_accuracy",
    "refusal_accuracy",
    "calibrated_refusal_score",
    "false_refusal_rate",
    "missed_refusal_rate",
    "refusal_rate",
    "correct_refusal_rate",
    "detection_precision",
    "detection_recall",
    "detection_f1",
    "category_accuracy",
    "hierarchical_score",
    "macro_refusal_accuracy",
)
"""Names of the metrics that `rates` gives, in its order."""


def count_rows(outcomes: Sequence[Outcome]) -> Floats:
    """Return one count vector per outcome, shape (n, WIDTH), entries 0 or 1. Sums of rows are count vectors too."""
    counts = np.zeros((len(outcomes), WIDTH))
    for row, outcome in zip(counts, outcomes, strict=True):
        _mark(row, outcome)
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


def rates(counts: Floats, protocol: Protocol = "paper") -> Floats:
    """Return the metrics of count vectors: shape (..., WIDTH) to (..., len(METRICS)), each in [0, 1] or NaN.

    `paper` (App. D): answer accuracy = correct attempts / answerable rows; refusal accuracy = replies with the
    gold code / unanswerable rows; calibrated refusal score = their mean; false refusal rate = refused / answerable;
    missed refusal rate = answered / unanswerable; refusal rate = refusals / all; correct refusal rate = refusals with
    any code / unanswerable (= detection recall); detection precision, recall, F1 with "refusal" as the positive
    class; category accuracy = gold code / correct refusals; hierarchical score = F1 x category accuracy; macro
    refusal accuracy = unweighted mean over the classes that occur. Undecided rows are in no numerator and in no
    denominator; what has no denominator is NaN.

    `official-code`: as the released scripts compute them: undecided rows stay in the denominators, the refusal rate
    is over the unanswerable rows only, and what is undefined is 0.
    """
    column = [counts[..., i] for i in range(WIDTH)]
    answerable, false_refusals, graded, correct, unanswerable, refusals, hits, lost_a, lost_u, ungraded = column[:10]
    official = protocol == "official-code"
    if official:
        answerable, unanswerable, graded = (
            answerable + lost_a,
            unanswerable + lost_u,
            graded + ungraded + lost_a,
        )
    answered = unanswerable - refusals - (lost_u if official else 0)
    answer_accuracy = _ratio(correct, graded)
    refusal_accuracy = _ratio(hits, unanswerable)
    precision = _ratio(refusals, refusals + false_refusals)
    recall = _ratio(refusals, unanswerable)
    f1 = _ratio(2 * refusals, refusals + false_refusals + unanswerable)
    category = _ratio(hits, refusals)
    all_refusals = _ratio(refusals + false_refusals, answerable + unanswerable)
    result = np.stack(
        [
            answer_accuracy,
            refusal_accuracy,
            (answer_accuracy + refusal_accuracy) / 2,
            _ratio(false_refusals, answerable),
            _ratio(answered, unanswerable),
            recall if official else all_refusals,
            recall,
            precision,
            recall,
            np.where(unanswerable > 0, f1, np.nan),
            category,
            np.where(refusals > 0, f1 * category, np.where(unanswerable > 0, 0.0, np.nan)),
            _macro(counts),
        ],
        axis=-1,
    )
    return np.nan_to_num(result, nan=0.0) if official else result


def denominators(counts: Floats, protocol: Protocol = "paper") -> dict[str, float]:
    """Return the n of each metric of one count vector (for the calibrated score: both arms)."""
    c = counts_by_name(counts)
    official = protocol == "official-code"
    answerable = c["answerable"] + (c["undecided_answerable"] if official else 0)
    unanswerable = c["unanswerable"] + (c["undecided_unanswerable"] if official else 0)
    graded = c["graded"] + (c["ungraded"] + c["undecided_answerable"] if official else 0)
    decided = answerable + unanswerable
    return {
        "answer_accuracy": graded,
        "refusal_accuracy": unanswerable,
        "calibrated_refusal_score": graded + unanswerable,
        "false_refusal_rate": answerable,
        "missed_refusal_rate": unanswerable,
        "refusal_rate": unanswerable if official else decided,
        "correct_refusal_rate": unanswerable,
        "detection_precision": c["refusals"] + c["false_refusals"],
        "detection_recall": unanswerable,
        "detection_f1": decided,
        "category_accuracy": c["refusals"],
        "hierarchical_score": decided,
        "macro_refusal_accuracy": unanswerable,
    }


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient; NaN where the denominator is 0."""
    safe = np.where(denominator > 0, denominator, 1.0)
    return np.where(denominator > 0, numerator / safe, np.nan)


def _macro(counts: Floats) -> Floats:
    """Return the unweighted mean of refusal accuracy over the classes with at least one row; NaN without any."""
    n, hits = counts[..., _CLASS_N:_CLASS_HITS], counts[..., _CLASS_HITS:]
    present = n > 0
    per_class = np.where(present, hits / np.where(present, n, 1.0), 0.0)
    return _ratio(per_class.sum(axis=-1), present.sum(axis=-1).astype(np.float64))
