"""The replies that made a rule fail: id, question, what was expected and what was
given.
"""

from typing import Any

import numpy as np
import pandas as pd

from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW
from refusalbench_tasks.metrics.metric import Ratio
from refusalbench_tasks.metrics.metric_table import METRICS
from refusalbench_tasks.metrics.refusal_counts import count_columns
from refusalbench_tasks.metrics.refusal_metrics import CONTROL, RATES
from refusalbench_tasks.metrics.refusal_shares import shares_of_replies
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.results.slices import run_part
from refusalbench_tasks.results.table import Run, read_run
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.tables import Table, TableRow

from .rule_checks import Check, Gated

_LONGEST = 160


def failing_rows(gated: Gated, limit: int = 20) -> Table:
    """Return up to `limit` replies of a run that count against the rules it fails,
    those of one rule together.

    The log is read once more, with its texts. What is counted names its rows too.
    """
    names = ("rule", "id", "epoch", "question", "expected", "given")
    rows = []
    rules = [check for check in gated.checks if check.verdict == "fail"]
    if rules and limit:
        run = read_run(gated.run.header, texts=True)
        for check in rules:
            table = _against(run_part(run, check.where, check.rule), check)
            for reply in table.head(limit).to_dict("records"):
                rows.append(_row(check.rule, reply))
            if len(table) > limit:
                more = {"rule": check.rule, "id": f"and {len(table) - limit} more"}
                rows.append(dict.fromkeys(names, "") | more)
    return Table(
        "failing",
        "Failing rows",
        rows,
        names=names,
    )


def _against(run: Run, check: Check) -> "pd.DataFrame":
    """Return the replies that count against a rule."""
    if check.counted:
        if check.metric == "errors":
            return run.lost
        return run.replies[run.replies["outcome"] == check.metric]
    if not run.refusal:
        return _against_hedging(run.main, check)
    name = check.metric.removeprefix(CONTROL)
    table = main_rows(run.replies) if name == check.metric else run.controls
    part, whole = _parts_of(name, table)
    better = METRICS[name].better
    low = better == "lower" or (better == "neither" and check.side == "max")
    wrong = (part > 0) if low else (part == 0)
    # what is made of several rates has no part of its own in a row
    unknown = np.isnan(part)
    return table[np.where(unknown, table["right"] == 0, wrong & (whole > 0))]


def _parts_of(name: str, table: "pd.DataFrame") -> tuple[Floats, Floats]:
    """Return what each reply adds to the numerator and to the denominator of a metric;
    NaN for one that is no quotient of counts.
    """
    if name in RATES:
        formula = RATES[name].formula
        if isinstance(formula, Ratio):
            return formula.parts(count_columns(table))
    elif name in (shares := shares_of_replies(table)):
        numerator, denominator = shares[name]
        return numerator.to_numpy(np.float64), denominator.to_numpy(np.float64)
    unknown = np.full(len(table), np.nan)
    return unknown, unknown


def _against_hedging(table: "pd.DataFrame", check: Check) -> "pd.DataFrame":
    if check.metric.startswith("refusal_"):
        return table[table["refused"] == int(check.side == "max")]
    return table[(table["refused"] == 0) & (table["correctness"] < WRONG_BELOW)]


def _row(rule: str, reply: "dict[Any, Any]") -> TableRow:
    given = reply.get("predicted") or ""
    if reply["outcome"] != "decided":
        given = str(reply["outcome"]).replace("_", " ")
    elif reply.get("refused") == 1:
        given = "a refusal"
    elif "refused" in reply:
        given = f"an answer of correctness {reply['correctness']}"
    return {
        "rule": rule,
        "id": str(reply["sample_id"]),
        "epoch": reply["epoch"],
        "question": str(reply["question_text"] or "")[:_LONGEST],
        "expected": str(reply.get("expected", "an answer")),
        "given": f"{given}: {str(reply['reply'] or reply['error'] or '')[:_LONGEST]}",
    }
