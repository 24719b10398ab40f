"""Contrasts of answers to BLUFF-1000: hedged against plain ones, and the arms at equal length."""

import numpy as np

from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.cluster import Floats, Mask, Statistic, bootstrap, cluster_sums

_HEDGED = ("hedged_correctness", "plain_correctness", "hedged_correctness_difference")
_LENGTH = ("hedges_per_100_words_clear", "hedges_per_100_words_ambiguous", "hedges_per_100_words_difference",
           "hedge_difference_at_equal_length")  # fmt: skip


def hedged_against_plain(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return the mean correctness of hedged and of plain answers, hedged - plain with its interval, and the n of each.

    The paper's H2 as stated: are hedged answers less correct? Over the graded answers of the hedging metrics; an answer
    with a hedge at all is hedged. Each mean is over its own answers; the interval resamples questions.
    """
    chosen = rows.graded & ~rows.left_out
    grade, hedged = rows.column("correctness")[chosen], rows.column("hedges")[chosen] > 0
    cells = np.column_stack([grade * hedged, hedged, grade * ~hedged, ~hedged]).astype(float)
    found = _found(rows, chosen, cells, _means_and_difference, _HEDGED, resamples, seed)
    # the two means are in the log without an interval; it is the difference that H2 is about
    for name in _HEDGED[:2]:
        del found[f"{name}_ci_low"], found[f"{name}_ci_high"]
    n, plain = float(hedged.sum()), float((~hedged).sum())
    return found | {
        "hedged_correctness_n": n,
        "plain_correctness_n": plain,
        "hedged_correctness_difference_n": n + plain,
    }


def at_equal_length(rows: HedgingRows, resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return hedges per 100 words by arm, and the difference of the arms in hedges at equal length, with intervals.

    Over the answers of both arms. Per 100 words: 100 x sum of hedges / sum of words. At equal length: b of the least
    squares fit of hedges = a + b (ambiguous) + c words, a number of hedges per answer. NaN where the arm and the words
    don't vary apart from each other. Ours; the intervals resample questions.
    """
    known = ~np.isnan(rows.column("hedges") + rows.column("words"))
    chosen = rows.answered & ~rows.left_out & known & (rows.clear | rows.ambiguous)
    h, w, a = rows.column("hedges")[chosen], rows.column("words")[chosen], rows.ambiguous[chosen].astype(float)
    # sums about the mean are exact where those of long replies would cancel
    centred = w - w.mean() if len(w) else w
    cells = np.column_stack(
        [h * (1 - a), w * (1 - a), h * a, w * a, np.ones(len(h)), a, centred, h, centred**2, a * centred, centred * h]
    )
    found = _found(rows, chosen, cells, _lengths, _LENGTH, resamples, seed)
    for name in _LENGTH[:2]:
        del found[f"{name}_ci_low"], found[f"{name}_ci_high"]
    return found | {
        "hedges_per_100_words_clear_n": float((a == 0).sum()),
        "hedges_per_100_words_ambiguous_n": float(a.sum()),
        "hedges_per_100_words_difference_n": float(len(a)),
        "hedge_difference_at_equal_length_n": float(len(a)),
    }


def _found(
    rows: HedgingRows,
    chosen: Mask,
    cells: Floats,
    statistic: Statistic,
    names: tuple[str, ...],
    resamples: int,
    seed: int,
) -> dict[str, float]:
    sums = cluster_sums(cells, rows.units_of(chosen))
    values, interval = statistic(sums.sum(axis=0)), bootstrap(sums, statistic, resamples, seed)
    result: dict[str, float] = {}
    for i, name in enumerate(names):
        result |= {
            name: float(values[i]),
            f"{name}_ci_low": float(interval.low[i]),
            f"{name}_ci_high": float(interval.high[i]),
        }
    return result


def _share(top: Floats, bottom: Floats) -> Floats:
    result: Floats = np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), np.nan)
    return result


def _means_and_difference(totals: Floats) -> Floats:
    first, second = _share(totals[..., 0], totals[..., 1]), _share(totals[..., 2], totals[..., 3])
    return np.stack([first, second, first - second], axis=-1)


def _lengths(totals: Floats) -> Floats:
    """Return hedges per 100 words of both arms, their difference, and the arm's coefficient beside words."""
    clear, ambiguous = 100 * _share(totals[..., 0], totals[..., 1]), 100 * _share(totals[..., 2], totals[..., 3])
    n, a, w, h, ww, aw, wh = (totals[..., i] for i in range(4, 11))
    count = np.maximum(n, 1)
    ah = totals[..., 2]
    # sums of products about the means; the arm is 0 or 1, so its square is itself
    saa, sww, saw = a - a * a / count, ww - w * w / count, aw - a * w / count
    sah, swh = ah - a * h / count, wh - w * h / count
    free = saa * sww - saw**2
    # without any spread of words there is nothing to adjust for, but also no fit
    defined = free > 1e-9 * np.maximum(saa * sww, 1e-12)
    slope = np.where(defined, (sah * sww - saw * swh) / np.where(defined, free, 1.0), np.nan)
    return np.stack([clear, ambiguous, ambiguous - clear, slope], axis=-1)
