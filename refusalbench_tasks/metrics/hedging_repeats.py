"""How much replies to one question, under the same sources, differ from epoch to epoch."""

from collections import defaultdict

from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.known import known

MEASURES = ("correctness", "confidence", "hedge_density", "refused")


def repeat_values(rows: HedgingRows) -> dict[str, float]:
    """Return the variance within a question and arm over epochs, by measure, with n; nothing for a single epoch.

    Pooled: the sum over questions and arms of squared distances from their mean / the sum of their (k - 1), k values
    that are known. n is the number of questions and arms with two or more.
    """
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        groups[row.question, row.arm].append(i)
    if all(len(places) < 2 for places in groups.values()):
        return {}
    result: dict[str, float] = {}
    for measure in MEASURES:
        values: Floats = rows.density if measure == "hedge_density" else rows.column(measure)
        some = [known(values[places]) for places in groups.values()]
        several = [one for one in some if len(one) > 1]
        free = sum(len(one) - 1 for one in several)
        squares = sum(float(((one - one.mean()) ** 2).sum()) for one in several)
        name = f"within_question_variance_{measure}"
        result |= {name: squares / free if free else float("nan"), f"{name}_n": float(len(several))}
    return result
