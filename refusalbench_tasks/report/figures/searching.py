"""What searching comes to: what happened to the rows of each system, and what a further
search is worth.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd

from refusalbench_tasks.report.charts import Curves, Figure, Point, Stacks
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import Label

_COLOURS: Mapping[str, str] = {
    "found and answered": "#009e73",
    "found and refused": "#b07d00",
    "gave up early": "#d55e00",
    "answered unseen": "#bf6a9b",
    "ran out, or no reply": "#57606a",
}
_PATTERNS = dict(zip(_COLOURS, ("", "\\\\", "xx", "||", ""), strict=True))
_SIDES = {"right answers": True, "right refusals": False}


def what_happened(group: Group) -> Figure | str:
    """Return the share of answerable rows by what an agent saw and did."""
    counts = {}
    for system in _searching(group):
        kinds = Counter(_kinds(system.rows))
        if kinds:
            counts[system.label] = kinds
    if not counts:
        return "no decided reply to an answerable row"
    return Figure(
        "searching",
        "What happened to the answerable rows",
        "each outcome / answerable rows that are not unscored; found = the row's"
        " evidence was shown before the reply, unseen = it was not; to give up early is"
        " to refuse unseen",
        Stacks(counts, _COLOURS, _PATTERNS),
    )


def by_budget(group: Group) -> Figure | str:
    """Return right answers and right refusals by the searches that they took."""
    lines = {}
    for system in _searching(group):
        most = system.rows["searches"].max()
        if np.isnan(most):
            continue
        for side, answerable in _SIDES.items():
            points = [
                Point(Estimate(float(spent)), _right_within(system, answerable, spent))
                for spent in range(int(most) + 1)
            ]
            if any(point.y.known for point in points):
                lines[f"{system.label}: {side}"] = points
    if not lines:
        return "no run tells how often it searched"
    return Figure(
        "budget",
        "Right replies by the searches that they took",
        "rows with a right reply after at most so many searches / answerable rows of"
        " known correctness, and / unanswerable rows; bars are 95 % CIs by base"
        " question. The line of an agent that was given fewer searches may lie above:"
        " it would have replied sooner",
        Curves(lines, "searches", "share of rows"),
    )


def _searching(group: Group) -> list[SystemView]:
    return [system for system in group.systems if "searches" in system.rows]


def _kinds(rows: pd.DataFrame) -> "pd.Series[str]":
    known = rows["outcome"].isin(["decided", "no_reply"])
    answerable = rows[known & (rows["expected"] == Label.ANSWER.value)]
    seen = answerable["evidence_shown"] == 1
    answered = answerable["predicted"] == Label.ANSWER.value
    cases = {
        "ran out, or no reply": answerable["outcome"] == "no_reply",
        "found and answered": seen & answered,
        "found and refused": seen,
        "answered unseen": answered,
    }
    kinds = np.select([*cases.values()], [*cases], default="gave up early")
    return pd.Series(kinds, index=answerable.index, dtype=object)


def _right_within(system: SystemView, answerable: bool, searches: int) -> Estimate:
    rows = system.rows
    side = (rows["expected"] == Label.ANSWER.value) == answerable
    among = side & rows["right"].notna()
    hit = among & (rows["right"] == 1) & (rows["searches"] <= searches)
    return system.share(hit.to_numpy(), among.to_numpy())
