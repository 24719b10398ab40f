"""The replies that made a rule fail: id, question, what was expected and what was
given.
"""

from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.metrics.hedging_columns import WRONG_BELOW
from refusalbench_tasks.metrics.metric import Ratio
from refusalbench_tasks.metrics.refusal_counts import columns, count_vectors
from refusalbench_tasks.metrics.refusal_metrics import CONTROL, RATES
from refusalbench_tasks.metrics.reply_table import main_rows
from refusalbench_tasks.results.gate.rule_checks import Check, Gated
from refusalbench_tasks.results.slices import part_of
from refusalbench_tasks.results.table import Run, read_run
from refusalbench_tasks.tables import Table, TableRow

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 160


def failing_rows(found: Gated, limit: int) -> Table:
    """Return up to `limit` replies of a run that count against the rules it fails,
    those of one rule together.

    The log is read once more, with its texts. A rule on unscored rows names these.
    """
    rules = [check for check in found.checks if check.verdict == "fail"]
    names = ("rule", "id", "epoch", "question", "expected", "given")
    if not rules or not limit:
        return Table("failing", "Failing rows", [], names=names)
    run = read_run(found.run.header, texts=True)
    rows: list[TableRow] = []
    for check in rules:
        table = _against(part_of(run, check.where, check.rule), check)
        rows += [
            _row(check.rule, reply) for reply in table.head(limit).to_dict("records")
        ]
        if len(table) > limit:
            rows.append(
                dict.fromkeys(names, "")
                | {"rule": check.rule, "id": f"and {len(table) - limit} more"}
            )
    return Table("failing", "Failing rows", rows, names=names)


def _against(run: Run, check: Check) -> "pd.DataFrame":
    """Return the replies that count against a rule."""
    table = (
        run.controls
        if check.metric.startswith(CONTROL)
        else main_rows(run.replies)
        if run.refusal
        else run.main
    )
    if not check.metric:
        return run.replies[run.replies["outcome"] == "unscored"]
    name = check.metric.removeprefix(CONTROL)
    if not run.refusal:
        if name.startswith("refusal_"):
            return table[table["refused"] == (1 if check.side == "max" else 0)]
        return table[(table["refused"] == 0) & (table["correctness"] < WRONG_BELOW)]
    metric = RATES.get(name)
    if metric is None or not isinstance(metric.formula, Ratio):
        return table[table["right"] == 0]
    counts = columns(count_vectors(table), run.protocol)
    part, whole = metric.formula.parts(counts)
    low = (
        check.side == "max" if metric.better == "neither" else metric.better == "lower"
    )
    wrong = (part > 0) if low else (part == 0)
    # what is made of several rates has no part of its own in a row
    return table[np.where(np.isnan(part), table["right"] == 0, wrong & (whole > 0))]


def _row(rule: str, reply: "dict[str, object]") -> TableRow:
    given = str(reply.get("predicted") or "")
    if "refused" in reply:
        given = (
            "a refusal"
            if reply["refused"] == 1
            else f"an answer of correctness {reply['correctness']}"
        )
    given = {"no_reply": "no reply", "unscored": "unscored"}.get(
        str(reply["outcome"]), given
    )
    return {
        "rule": rule,
        "id": str(reply["sample_id"]),
        "epoch": reply["epoch"],
        "question": str(reply["question_text"] or "")[:_LONGEST],
        "expected": str(reply.get("expected", "an answer")),
        "given": f"{given}: {str(reply['reply'] or '')[:_LONGEST]}",
    }
