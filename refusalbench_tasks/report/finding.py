"""What the replies of one run say of its model, in one sentence whose claims are supported by intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.report.value import Value
from refusalbench_tasks.stats.cluster import Places, bootstrap_draws, cluster_sums
from refusalbench_tasks.stats.difference import difference_interval
from refusalbench_tasks.taxonomy import Label

SURE = 0.95
"""A wrong code is called the most frequent if it is that in so many of the resamples."""
ALPHA = 0.05
SHORT: dict[Label, str] = {
    Label.ANSWER: "answer",
    Label.AMBIGUOUS: "ambiguous",
    Label.CONTRADICTORY: "contradictory",
    Label.MISSING: "missing",
    Label.FALSE_PREMISE: "false premise",
    Label.GRANULARITY: "granularity",
    Label.NONFACTUAL: "nonfactual",
    Label.OTHER: "other",
}
"""The labels in a word or two."""


@dataclass(frozen=True)
class Confusion:
    """The wrong code that a model gives most often, and to how large a share of the rows of the right one.

    `n` are the decided rows of that label; `sure` is the share of resamples in which this pair is the most frequent.
    """

    gold: Label
    given: Label
    share: float
    n: int
    sure: float


def most_confused(
    expected: NDArray[np.int64], predicted: NDArray[np.int64], units: Sequence[str] | NDArray[np.str_] | Places
) -> Confusion | None:
    """Return the most frequent pair of a refusal code and a wrong one given for it; None if no wrong code was given.

    Labels are positions in `Label`, -1 is undecided; shape (n,) each. Answers are in no pair. The resamples draw
    `units` (1,000, seed 0); one in which several pairs are equally frequent does not count for any. Our definition.
    """
    labels = list(Label)
    answer = labels.index(Label.ANSWER)
    wrong = (expected != answer) & (predicted != answer) & (predicted >= 0) & (expected != predicted)
    if not wrong.any():
        return None
    pairs, place = np.unique(np.stack([expected[wrong], predicted[wrong]], axis=1), axis=0, return_inverse=True)
    cells = np.zeros((len(expected), len(pairs)))
    cells[np.flatnonzero(wrong), place.reshape(-1)] = 1
    top = int(cells.sum(axis=0).argmax())
    draws = bootstrap_draws(cluster_sums(cells, units), lambda totals: totals)
    alone = (draws == draws.max(axis=1, keepdims=True)).sum(axis=1) == 1
    sure = float((alone & (draws.argmax(axis=1) == top)).mean()) if not np.isnan(draws).any() else 0.0
    n = int(((expected == pairs[top][0]) & (predicted >= 0)).sum())
    return Confusion(labels[pairs[top][0]], labels[pairs[top][1]], float(cells[:, top].sum()) / n, n, sure)


def refusal_sentence(false: Value, missed: Value, category: Value, confused: Confusion | None) -> str:
    """Return what the two errors, the category accuracy and the wrong codes of a run of `nq` or `garage` say.

    `false` and `missed` are the rates of false and missed refusals. A model over-refuses if the interval of the first
    lies wholly above that of the second, and under-refuses if it lies wholly below; that it refuses the unanswerable
    more often than the answerable is taken for granted only if the interval of the difference (MOVER) is above 0.
    """
    return "; ".join([_errors(false, missed), *_reasons(category, confused)]) + "."


def hedging_sentence(refused: Value, correct: Value, asi: Value, null: float, p: float) -> str:
    """Return what refusals and answers under clear sources, and the index of ambiguity sensitivity (ASI), say.

    The ASI is compared with its mean under exchanged arms, `null`, by its permutation test; p is two-sided.
    """
    parts = []
    if refused.known:
        parts.append(f"refuses {_percent(refused.value)} under clear sources")
    if correct.known:
        parts.append(f"{_percent(correct.value)} of its answers are right")
    if not (asi.known and p == p and null == null):
        parts.append("its sensitivity to ambiguous sources is not known")
    elif p < ALPHA:
        less = "more" if asi.value > null else "less"
        parts.append(f"sounds {less} unsure under ambiguous sources than under clear ones (p {_p(p)})")
    else:
        parts.append(f"whether ambiguous sources make it sound less sure can't be told (p {_p(p)})")
    return "; ".join(parts) + "."


def _errors(false: Value, missed: Value) -> str:
    told = [
        f"{verb} {_percent(value.value)} of {kind} rows"
        for verb, value, kind in (("refuses", false, "answerable"), ("answers", missed, "unanswerable"))
        if value.known
    ]
    if len(told) < 2:
        return f"{told[0]}; the other error is not known" if told else "neither error is known"
    return f"{' and '.join(told)}: {_direction(false, missed)}"


def _direction(false: Value, missed: Value) -> str:
    if not (false.has_interval and missed.has_interval):
        return "too few questions to tell more"
    # refusals of the unanswerable less refusals of the answerable
    low, high = difference_interval(
        (1 - missed.value, 1 - missed.high, 1 - missed.low), (false.value, false.low, false.high)
    )
    if low <= 0:
        also = "less often than" if high < 0 else "no more often than"
        return f"refuses unanswerable rows {also} answerable ones, as far as these rows can tell"
    if false.low > missed.high:
        return "over-refuses"
    if missed.low > false.high:
        return "under-refuses"
    return "which error is the more frequent can't be told"


def _reasons(category: Value, confused: Confusion | None) -> list[str]:
    if not category.known:
        return ["no reason can be right or wrong: no unanswerable row was refused with a code"]
    parts = [f"names the reason in {_percent(category.value)} of its due refusals"]
    if confused is not None:
        pair = f"{SHORT[confused.gold]} → {SHORT[confused.given]}"
        known = f"most confused: {pair} ({_percent(confused.share)} of those rows)"
        parts.append(known if confused.sure >= SURE else "which code it confuses most can't be told")
    return parts


def _percent(share: float) -> str:
    """Return a share in whole per cents, of which 0 and 100 mean none and all."""
    whole = round(100 * share)
    if whole in (0, 100) and share not in (0.0, 1.0):
        return "under 1 %" if whole == 0 else "over 99 %"
    return f"{whole} %"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
