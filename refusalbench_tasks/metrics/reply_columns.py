"""What the tables of replies of all tasks share: typed columns, the replies that count,
and what is resampled.
"""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from refusalbench_tasks.outcome import Cluster, Protocol, ReplyOutcome
from refusalbench_tasks.stats.cluster import ClusterIndex, Floats, places_of

if TYPE_CHECKING:
    import pandas as pd

Facts = Mapping[str, Any]
"""What is known of a reply or its row, by name."""

LEAST_COVERAGE = 0.5
"""There is no headline where less than this share of its rows, or pairs, is known."""


def frame_of(rows: Iterable[Facts], blank: Facts) -> "pd.DataFrame":
    """Return rows as a frame with the columns of a blank row, also without rows;
    further columns follow as given.

    What a row has not is as in the blank row, as of a sample that ended in an error.
    """
    import pandas as pd

    filled = [{**blank, **row} for row in rows]
    table = pd.DataFrame(filled, columns=None if filled else [*blank])
    return table.astype(
        {
            name: type(one) if isinstance(one, int | float) else object
            for name, one in blank.items()
        }
    )


def scored(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return the replies of a table, without rows that ended in an
    error or never ran.
    """
    return table[table["outcome"].isin(get_args(ReplyOutcome))]


def no_reply(table: "pd.DataFrame") -> Floats:
    """Return for each reply whether the model failed to give one, as 1 or 0.

    What was replied and is undecided is a reply. NaN where that is not known: a row
    that a file of replies leaves out, and one that ended in an error or never ran.
    """
    outcome = table["outcome"]
    reason = table["reason"]
    known = outcome.isin(get_args(ReplyOutcome)) & (reason != "not_in_file")
    return np.where(known, outcome == "no_reply", np.nan)


def protocol_of(table: "pd.DataFrame") -> Protocol:
    """Return the protocol that replies were scored by."""
    return "official-code" if (table["protocol"] == "official-code").any() else "paper"


def cluster_index(
    table: "pd.DataFrame", cluster: Cluster | None = None
) -> ClusterIndex:
    """Return the place of what each reply is resampled with: its question or itself, by
    default as the run was told.

    Places are in the order of names, so that a seeded resample does not depend on the
    order of the replies.
    """
    if cluster == "question" or (
        cluster is None and not (table["cluster_by"] == "row").any()
    ):
        return places_of(table["cluster"])
    item = table["item"] + "#" + table["arm"] if "arm" in table else table["item"]
    return places_of(item + "#" + table["epoch"].map("{:09d}".format))


def number(value: Any) -> float:
    """Return a number; NaN for none (a tool that cannot write NaN writes null, and that
    must not become a 0).
    """
    return float(value) if isinstance(value, int | float) else math.nan


def numbers_of(source: Facts, names: Iterable[str]) -> dict[str, float]:
    """Return numbers by name; NaN for what a source does not have."""
    return {name: number(source.get(name)) for name in names}


def texts_of(source: Facts, names: Iterable[str]) -> dict[str, str]:
    """Return texts by name; blank for what a source does not have."""
    return {name: str(source.get(name) or "") for name in names}
