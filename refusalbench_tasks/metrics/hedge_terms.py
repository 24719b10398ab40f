"""Which terms the replies to BLUFF-1000 hedge with, and how often answers with a term are wrong."""

from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.metrics.hedging_columns import PAIRED, columns, published

if TYPE_CHECKING:
    import pandas as pd


def term_uses(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return a row for every term that a reply has, the most frequent first.

    `replies` with it; `share` of the `n` replies whose hedges are counted, `share_clear` of `clear_n`,
    `share_ambiguous` of `ambiguous_n` and their `difference`, whatever number of times a reply has the term; `wrong`,
    the share of the `graded_n` graded answers with it whose correctness is below 0.5 (NaN without any).
    """
    import pandas as pd

    both = published(table)
    of = columns(both)
    known = ~np.isnan(of["hedges"])
    under = {arm: of[f"under_{arm}"] * known for arm in PAIRED}
    terms = [list(found) if there else [] for found, there in zip(both["terms"], known, strict=True)]
    each = pd.DataFrame({"term": terms, "replies": 1.0, "graded_n": of["graded"], "wrong": of["wrong"], **under})
    found = each.explode("term").dropna(subset="term").groupby("term").sum()
    found["n"], found["share"] = int(known.sum()), found["replies"] / known.sum()
    found["wrong"] /= found["graded_n"]
    for arm in PAIRED:
        found[f"{arm}_n"] = under[arm].sum()
        found[f"share_{arm}"] = found.pop(arm) / under[arm].sum()
    found["difference"] = found["share_ambiguous"] - found["share_clear"]
    return found.reset_index().sort_values(["replies", "term"], ascending=[False, True], ignore_index=True)
