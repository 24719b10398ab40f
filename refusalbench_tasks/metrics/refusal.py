"""The numbers of replies to `nq` and `garage`: of a run, of groups of its rows, and
what a log holds of them.
"""

from collections.abc import Sequence

import pandas as pd

from refusalbench_tasks.stats.estimate import Estimates

from .calibration import calibration
from .metric_table import METRICS
from .named_sums import measured
from .refusal_counts import (
    count_sums,
    hides_accuracy,
)
from .refusal_metrics import (
    CONTROL,
    OF_ANSWERS,
    OF_CONTROLS,
    RATES,
    defined_metrics,
    headline,
    main_metrics,
)
from .refusal_shares import other_shares
from .reply_columns import LEAST_COVERAGE, protocol_of
from .reply_table import main_rows

BY_GROUP = (
    "answer_accuracy",
    "refusal_accuracy",
    "false_refusal_rate",
    "correct_refusal_rate",
)
"""The rates that groups of rows have."""


def values(
    table: "pd.DataFrame",
    resamples: int = 1000,
    names: Sequence[str] | None = None,
) -> Estimates:
    """Return the metrics of a table of replies, by name; those of its kind, or those
    that are named.

    The column `cluster_by` says what is resampled: base questions, or rows as if they
    were independent. The headline is NaN where less than `LEAST_COVERAGE` of the rows
    is known. It and answer accuracy are NaN where less than that share of the
    answerable rows is graded, and where answers are left ungraded without a grader:
    those that are graded then are the plainly right ones (not with `official-code`).
    """
    rows = main_rows(table)
    metrics = [RATES[name] for name in names or defined_metrics(rows)]
    numbers = measured(
        metrics,
        count_sums(rows),
        resamples,
    )
    if protocol_of(rows) == "official-code":
        return numbers
    hidden = set()
    first = headline(rows)
    if first in numbers and numbers[first].n < LEAST_COVERAGE * len(rows):
        hidden.add(first)
    if hides_accuracy(rows):
        hidden |= OF_ANSWERS & numbers.keys()
    return numbers | {name: numbers[name].withheld for name in hidden}


def every_number(
    table: "pd.DataFrame",
    resamples: int = 1000,
) -> Estimates:
    """Return every number of a table of replies by name; with `resamples=0` without
    bootstrap.

    `control_...` are those of controls by the paper's formulas, whatever the protocol.
    """
    numbers = values(table, resamples)
    controls = table[table["control"]].assign(protocol="paper")
    if len(controls):
        of_controls = values(controls, resamples, OF_CONTROLS)
        for name, estimate in of_controls.items():
            numbers[f"{CONTROL}{name}"] = estimate
    return numbers | other_shares(table, resamples) | calibration(table, resamples)


def logged_numbers(table: "pd.DataFrame") -> dict[str, float]:
    """Return what a log holds: the main metrics, each with `_stderr`, and as `stderr`
    that of the headline.

    Inspect's data frames take a headline's error from the metric of that name.
    Everything else follows from the samples.
    """
    numbers = every_number(table, resamples=0)
    rows = main_rows(table)
    main = main_metrics(rows)
    result = {"stderr": numbers[headline(rows)].stderr}
    for name, estimate in numbers.items():
        if name in main or METRICS[name].logged:
            result[name] = estimate.value
            result[f"{name}_stderr"] = estimate.stderr
    return result


def by_group(
    table: "pd.DataFrame",
    column: str,
    names: Sequence[str] = BY_GROUP,
    resamples: int = 1000,
) -> dict[str, Estimates]:
    """Return the rates of each group of the main rows, by the text in a column of the
    table; "" is no group.

    All groups see the same resamples of everything.
    """
    rows = main_rows(table)
    defined = defined_metrics(rows)
    metrics = [RATES[name] for name in names if name in defined]
    numbers = {}
    for group in sorted(set(rows[column]) - {""}):
        sums = count_sums(rows, rows[column] == group)
        numbers[group] = measured(metrics, sums, resamples)
    return numbers
