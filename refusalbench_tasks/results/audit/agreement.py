"""How graders agree on the same replies."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import eq, or_
from typing import TYPE_CHECKING

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.agreement import cohen_kappa, krippendorff_alpha

if TYPE_CHECKING:
    import pandas as pd


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


def grader_agreement(logs: Sequence[Run]) -> tuple[list[Agreement], float]:
    """Return the agreement of each two scored copies of a log, and Krippendorff's alpha over all of them.

    Only replies that some grader read enter: what parsing decides, every copy decides alike. Raises DataError if the
    logs are not copies of one run (same task, model and data), or no grader read anything.
    """
    first = logs[0]
    for log in logs[1:]:
        if (log.task, log.model, log.fingerprint) != (first.task, first.model, first.fingerprint):
            raise DataError(f"{log.name} is not a scored copy of the run in {first.name}: task, model or data differ")
    tables = [log.main.set_index(["sample_id", "epoch"]).sort_index() for log in logs]
    read = reduce(lambda a, b: a.intersection(b), (table.index for table in tables))
    tables = [table.loc[read] for table in tables]
    graded = reduce(or_, (table["decided_by"] == "judge" for table in tables))
    if not graded.any():
        raise DataError("no grader read a reply in these logs; score copies of a log with graders first")
    tables = [table[graded] for table in tables]
    pairs = [
        _agreement((one, a), (other, b))
        for (one, a), (other, b) in combinations(list(zip(logs, tables, strict=True)), 2)
    ]
    labels = zip(*(table["predicted"] for table in tables), strict=True)
    return pairs, krippendorff_alpha([[label or None for label in row] for row in labels])


def _agreement(first: "tuple[Run, pd.DataFrame]", second: "tuple[Run, pd.DataFrame]") -> Agreement:
    (one, a), (other, b) = first, second
    known = (a["predicted"] != "") & (b["predicted"] != "")
    x, y = list(a["predicted"][known]), list(b["predicted"][known])
    both = a["grade"].notna() & b["grade"].notna()
    return Agreement(
        first=panel_name(one),
        second=panel_name(other),
        n=len(x),
        equal=sum(map(eq, x, y)) / len(x) if x else math.nan,
        kappa=cohen_kappa(x, y),
        rank=_spearman(list(a["grade"][both]), list(b["grade"][both])),
        n_graded=int(both.sum()),
    )


def panel_name(log: Run) -> str:
    """Return the names of a log's graders."""
    return " + ".join(sorted(log.graders)) or "(no grader)"


def _spearman(first: Sequence[float], second: Sequence[float]) -> float:
    from scipy.stats import spearmanr

    if len(set(first)) < 2 or len(set(second)) < 2:
        return math.nan
    return float(spearmanr(first, second).statistic)
