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
        if (log.task, log.model, log.fingerprint) != (
            first.task,
            first.model,
            first.fingerprint,
        ):
            raise DataError(
                f"{log.name} is not a scored copy of the run in {first.name}: task,"
                " model or data differ"
            )
    tables = [log.main.set_index(["sample_id", "epoch"]).sort_index() for log in logs]
    read = reduce(lambda a, b: a.intersection(b), (table.index for table in tables))
    graded = reduce(or_, (table.loc[read, "decided_by"] == "judge" for table in tables))
    if not graded.any():
        raise DataError(
            "no grader read a reply in these logs; score copies of a log with graders"
            " first"
        )
    rows: list[TableRow] = []
    tables = [table.loc[read][graded] for table in tables]
    for (one, a), (other, b) in combinations(list(zip(logs, tables, strict=True)), 2):
        known = (a["predicted"] != "") & (b["predicted"] != "")
        both = a["grade"].notna() & b["grade"].notna()
        x = a["predicted"][known]
        y = b["predicted"][known]
        rows.append(
            {
                "grader": one.grader,
                "other": other.grader,
                "n": len(x),
                "equal": float((x == y).mean()),
                "kappa": cohen_kappa(list(x), list(y)),
                "n graded": int(both.sum()),
                "rank correlation": float(
                    a["grade"][both].rank().corr(b["grade"][both].rank())
                ),
            }
        )
    labels = zip(*(table["predicted"] for table in tables), strict=True)
    return rows, krippendorff_alpha(
        [[label or None for label in row] for row in labels]
    )
