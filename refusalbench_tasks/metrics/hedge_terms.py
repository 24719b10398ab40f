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
    graded = of["graded"] == 1
    terms = both["terms"].where(known).map(lambda found: list(found) if isinstance(found, dict) else [])
    listed = pd.DataFrame(
        {"term": terms.to_numpy(), "graded": graded, "wrong": of["wrong"], "arm": both["arm"].to_numpy()}
    )
    uses = listed.explode("term").dropna(subset="term").groupby("term")
    found = pd.DataFrame({"replies": uses.size(), "graded_n": uses["graded"].sum(), "n": int(known.sum())})
    found["share"], found["wrong"] = found["replies"] / found["n"], uses["wrong"].sum() / found["graded_n"]
    for arm in PAIRED:
        n = int((known & (of[f"under_{arm}"] == 1)).sum())
        found[f"{arm}_n"] = n
        found[f"share_{arm}"] = uses["arm"].agg(lambda arms, arm=arm: (arms == arm).sum()) / n if n else np.nan
    found["difference"] = found["share_ambiguous"] - found["share_clear"]
    return found.reset_index().sort_values(["replies", "term"], ascending=[False, True], ignore_index=True)
