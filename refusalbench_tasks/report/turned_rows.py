"""The rows of which something else became than in a system's last run."""

from typing import Any

from refusalbench_tasks.results.paired_replies import paired
from refusalbench_tasks.tables import Table

from .fix_first import short_text
from .groups import Group, SystemView
from .reply_kinds import WORTH, reply_kinds


def turned_rows(group: Group, system: SystemView) -> Table:
    """Return the rows that turned since the last run of a system, those that got worse
    first; without rows if there is none, or nothing turned.
    """
    title = "What changed since the last run"
    before = group.before(system)
    rows = []
    if before:
        rows = _turned(before, system)
    return Table(
        f"turned-{system.look.number}",
        f"{title}: {system.label}" if len(group.shown) > 1 else title,
        sorted(rows, key=lambda row: ("worse", "better", "other").index(row["got"])),
        "Rows that both runs have, by their ids.",
    )


def _turned(before: SystemView, system: SystemView) -> list[dict[Any, Any]]:
    import pandas as pd

    # a sample that ended in an error has turned, too
    first, second = paired(
        *(pd.concat([view.rows, view.run.lost]) for view in (before, system))
    )
    table = pd.DataFrame(
        {
            "row": first["sample_id"],
            "question": second["question_text"],
            "before": reply_kinds(first),
            "now": reply_kinds(second),
            "reply before": first["reply"],
            "reply now": second["reply"],
        }
    )
    # of text without any row pandas would make worths of text
    turned = table[table["before"] != table["now"]].fillna("").astype(object)
    better = turned["now"].map(WORTH) - turned["before"].map(WORTH)
    turned.insert(
        2,
        "got",
        better.map({1: "better", -1: "worse"}).fillna("other"),
    )
    rows: list[dict[Any, Any]] = turned.map(short_text).to_dict("records")
    return rows
