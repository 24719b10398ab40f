"""The rows of which something else became than in a system's last run."""

from typing import Any

from refusalbench_tasks.results.paired_replies import paired
from refusalbench_tasks.stats.estimate import NAN
from refusalbench_tasks.tables import Table

from .fix_first import short_text
from .groups import Group, SystemView
from .reply_kinds import COLOURS, UNKNOWN, reply_kinds

_WORTH = dict.fromkeys(COLOURS, 0.0) | dict.fromkeys(UNKNOWN, NAN)
_WORTH |= {"answered right": 1.0, "declined rightly": 1.0}
"""What an outcome is worth, of those of which it is known."""


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

    first, second = paired(before.rows, system.rows)
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
    turned = table[table["before"] != table["now"]].fillna("")
    # of no rows pandas would take the worths for text
    worth = [turned[when].map(_WORTH).astype(float) for when in ("before", "now")]
    better = worth[1] - worth[0]
    turned.insert(
        2,
        "got",
        better.map({1: "better", -1: "worse"}).fillna("other"),
    )
    rows: list[dict[Any, Any]] = turned.map(short_text).to_dict("records")
    return rows
