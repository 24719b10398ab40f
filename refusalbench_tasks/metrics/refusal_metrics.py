"""The metrics of `nq` and `garage`, rows of `data/metrics.yaml`.

What they count is in `refusal_counts` (rates) or `refusal_shares`.
"""

from dataclasses import replace

import pandas as pd

from .metric_rows import metric_rows
from .refusal_formulas import FORMULAS

CONTROL = "control_"
KIND = "kind_"
"""What stands before the names of metrics of controls, and of the kinds of reply:
`false_refusal` would nearly be the name of a rate.
"""
RATES = metric_rows("rates", FORMULAS)
"""The metrics of counts (`refusal_counts`), which two runs are compared by as well."""
OF_CONTROLS = ("answer_accuracy", "false_refusal_rate")
"""The metrics of unperturbed controls, which carry `control_` before their names."""
OF_ANSWERS = {name for name, metric in RATES.items() if metric.graded}
"""The rates that rest on whether answers are right."""
_CONTROL_RATES = {
    f"{CONTROL}{name}": replace(
        RATES[name],
        name=f"{CONTROL}{name}",
        main=False,
        logged=True,
    )
    for name in OF_CONTROLS
}
SHARES = metric_rows("shares", FORMULAS)
"""What `refusal_shares` counts, each by its own columns."""
KINDS = tuple(name.removeprefix(KIND) for name in SHARES if name.startswith(KIND))
"""The kinds of reply that are known to be right or wrong: the six of the paper's Fig.
26, and none at all.
"""
CALIBRATION = metric_rows("calibration", FORMULAS)
"""How sure replies are, of those that state a level of confidence."""
REFUSAL_METRICS = {
    **RATES,
    **_CONTROL_RATES,
    **SHARES,
    **CALIBRATION,
}
"""Every metric of `nq` and `garage`."""


def headline(rows: "pd.DataFrame") -> str:
    """Return the name of the one number that stands for replies, by whether codes were
    asked for.
    """
    return "calibrated_refusal_score" if rows["codes"].all() else "detection_f1"


def defined_metrics(rows: "pd.DataFrame") -> tuple[str, ...]:
    """Return the names of the rates of replies, by whether they are graded against ten
    passages, and asked for codes.

    Without codes it is detection that is measured, and comes first.
    """
    grounded = rows["grounded"].any()
    codes = rows["codes"].all()
    names = [
        name
        for name, metric in RATES.items()
        if (grounded or not metric.grounded) and (codes or not metric.coded)
    ]
    if not codes:
        first = ("detection", "false_refusal", "missed_refusal")
        names.sort(key=lambda name: not name.startswith(first))
    return tuple(names)


def main_metrics(rows: "pd.DataFrame") -> tuple[str, ...]:
    """Return the names of the main metrics among `defined_metrics`; without codes those
    of detection are, too.
    """
    detection = () if rows["codes"].all() else ("detection",)
    return tuple(
        name
        for name in defined_metrics(rows)
        if RATES[name].main or name.startswith(detection)
    )
