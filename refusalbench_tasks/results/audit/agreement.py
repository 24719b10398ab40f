"""How graders agree on the same replies."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.stats.agreement import cohen_kappa, krippendorff_alpha
from refusalbench_tasks.tables import TableRow


def grader_agreement(logs: Sequence[Run]) -> tuple[list[TableRow], float]:
    """Return how each two scored copies of a log agree, and Krippendorff's alpha over
    all of them.

    Of n replies that both decided: the share of equal labels, Cohen's kappa, and
    Spearman's correlation of the quality grades over the answers that both graded. Only
    replies that some grader read enter: what parsing decides, every copy decides alike.
    Raises DataError if the logs are not copies of one run (same task, model and data),
    or no grader read anything.
    """
    first = logs[0]
    for log in logs[1:]:
        if _run_of(log) != _run_of(first):
            raise DataError(
                f"{log.name} is not a scored copy of the run in {first.name}: task,"
                " model or data differ"
            )
    tables = [log.main.set_index(["sample_id", "epoch"]).sort_index() for log in logs]
    shared = reduce(lambda a, b: a.intersection(b), (table.index for table in tables))
    tables = [table.loc[shared] for table in tables]
    read = reduce(or_, (table["decided_by"] == "judge" for table in tables))
    if not read.any():
        raise DataError(
            "no grader read a reply in these logs; score copies of a log with graders"
            " first"
        )
    tables = [table[read] for table in tables]
    rows = []
    for (first, a), (second, b) in combinations(zip(logs, tables, strict=True), 2):
        known = (a["predicted"] != "") & (b["predicted"] != "")
        graded = a["grade"].notna() & b["grade"].notna()
        x = a["predicted"][known]
        y = b["predicted"][known]
        ranks = a["grade"][graded].rank()
        rows.append(
            {
                "grader": first.grader,
                "other": second.grader,
                "n": len(x),
                "equal": float((x == y).mean()),
                "kappa": cohen_kappa(list(x), list(y)),
                "n graded": int(graded.sum()),
                "rank correlation": float(ranks.corr(b["grade"][graded].rank())),
            }
        )
    labels = []
    for table in tables:
        labels.append([label or None for label in table["predicted"]])
    return rows, krippendorff_alpha(list(zip(*labels, strict=True)))


def _run_of(log: Run) -> tuple[str, str, str]:
    return log.task, log.model, log.fingerprint
