"""How graders agree on the same replies."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.logs.run import Key, RefusalRun
from refusalbench_tasks.stats.agreement import cohen_kappa, krippendorff_alpha


@dataclass(frozen=True)
class Agreement:
    """Two logs' labels on the same replies: n decided in both, the share that is equal, and Cohen's kappa."""

    first: str
    second: str
    n: int
    equal: float
    kappa: float
    rank: float
    """Spearman's correlation of the quality grades, over the n_graded answers that both graded."""
    n_graded: int


def judge_agreement(logs: Sequence[RefusalRun]) -> tuple[list[Agreement], float]:
    """Return the agreement of each two scored copies of a log, and Krippendorff's alpha over all of them.

    Only replies that some grader read enter: what parsing decides, every copy decides alike. Raises DataError if the
    logs are not copies of one run (same task, model and data), or no grader read anything.
    """
    first = logs[0]
    for log in logs[1:]:
        if (log.task, log.model, log.fingerprint) != (first.task, first.model, first.fingerprint):
            raise DataError(f"{log.name} is not a scored copy of the run in {first.name}: task, model or data differ")
    keys = sorted(set.intersection(*(set(log.perturbed) for log in logs)))
    keys = [key for key in keys if any(key in log.judged for log in logs)]
    if not keys:
        raise DataError("no grader read a reply in these logs; score copies of a log with judges first")
    pairs = [_agreement(one, other, keys) for one, other in combinations(logs, 2)]
    return pairs, krippendorff_alpha([[log.perturbed[key].outcome.predicted for log in logs] for key in keys])


def _agreement(one: RefusalRun, other: RefusalRun, keys: Sequence[Key]) -> Agreement:
    labels = [(one.perturbed[key].outcome.predicted, other.perturbed[key].outcome.predicted) for key in keys]
    known = [(a, b) for a, b in labels if a is not None and b is not None]
    grades = [(one.grades[key], other.grades[key]) for key in keys if key in one.grades and key in other.grades]
    return Agreement(
        first=panel_name(one),
        second=panel_name(other),
        n=len(known),
        equal=sum(a is b for a, b in known) / len(known) if known else math.nan,
        kappa=cohen_kappa([a for a, _ in known], [b for _, b in known]),
        rank=_spearman(grades),
        n_graded=len(grades),
    )


def panel_name(log: RefusalRun) -> str:
    """Return the names of a log's graders."""
    return " + ".join(sorted(log.graders)) or "(no grader)"


def _spearman(pairs: Sequence[tuple[float, float]]) -> float:
    from scipy.stats import spearmanr

    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(first)) < 2 or len(set(second)) < 2:
        return math.nan
    return float(spearmanr(first, second).statistic)
