"""The two replies to one question: what differs between the arms of BLUFF-1000, with intervals and tests."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from refusalbench_tasks.metrics.hedging_columns import PAIRED, left_out, protocol_of
from refusalbench_tasks.metrics.hedging_index import asi, confidence_sensitivity, hedging_sensitivity
from refusalbench_tasks.metrics.hedging_measures import Measure, mean, measured
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats, places_of
from refusalbench_tasks.stats.estimate import NAN, Estimate
from refusalbench_tasks.stats.paired import swap_test

if TYPE_CHECKING:
    import pandas as pd

DROPPED = ("missing_arm", "unscored", "no_reply", "refused", "no_confidence")
"""Why a pair is in no figure; of several reasons the first."""
PAIR_MEASURES: Mapping[str, Measure] = {
    "asi": mean("asi", share=False),
    "confidence_drop": mean("confidence_drop", "neither", share=False),
    "hedging_difference": mean("hedging_difference", "neither", share=False),
    "confidence_sensitivity": mean("confidence_sensitivity", share=False),
    "hedging_sensitivity": mean("hedging_sensitivity", share=False),
}
"""What is told of the pairs that are kept."""
_READ = ("item", "epoch", "question", "outcome", "left_out", "confidence", "density")


def pairs(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return a row a pair, by item and epoch: `question`, `unit` (what is resampled), `dropped` (blank if kept).

    Beside these `outcome`, `left_out`, `confidence` and `density` (hedges a word) of each arm, as `NAME_clear` and
    `NAME_ambiguous`, missing where the arm is.
    """
    import pandas as pd

    density = table["hedges"] / table["words"].clip(lower=1)
    read = table.assign(left_out=left_out(table), density=density)
    sides = [
        read.loc[read["arm"] == arm, [*_READ]].set_index(["item", "epoch"]).add_suffix(f"_{arm}") for arm in PAIRED
    ]
    found = pd.concat(sides, axis=1).sort_index().reset_index()
    found["question"] = found.pop("question_clear").fillna(found.pop("question_ambiguous"))
    by_row = "row" in set(table["cluster_by"])
    names = found["item"] + "#" + found["epoch"].map("{:09d}".format) if by_row else found["question"]
    return found.assign(unit=names, dropped=_dropped(found))


def _dropped(found: "pd.DataFrame") -> list[str]:
    def either(name: str, value: object) -> "pd.Series[bool]":
        clear, ambiguous = (found[f"{name}_{arm}"] == value for arm in PAIRED)
        return clear | ambiguous

    missing = found[[f"outcome_{arm}" for arm in PAIRED]].isna().any(axis=1)
    unknown = found[[f"confidence_{arm}" for arm in PAIRED]].isna().any(axis=1)
    reasons = [missing, either("outcome", "unscored"), either("outcome", "no_reply"), either("left_out", True), unknown]
    return [str(reason) for reason in np.select(reasons, DROPPED, "")]


def pair_columns(kept: "pd.DataFrame", protocol: Protocol) -> dict[str, Floats]:
    """Return the values of each of `PAIR_MEASURES` by pair, and of the index with the arms exchanged, shape (n,)."""
    c1, c2, h1, h2 = (kept[f"{name}_{arm}"].to_numpy(float) for name in ("confidence", "density") for arm in PAIRED)
    return {
        "asi": asi(c1, c2, h1, h2, protocol),
        "asi_exchanged": asi(c2, c1, h2, h1, protocol),
        "confidence_drop": c1 - c2,
        "hedging_difference": h2 - h1,
        "confidence_sensitivity": confidence_sensitivity(c1, c2),
        "hedging_sensitivity": hedging_sensitivity(h1, h2, protocol),
    }


def pair_estimates(table: "pd.DataFrame", resamples: int = 1000, seed: int = 0) -> dict[str, Estimate]:
    """Return `PAIR_MEASURES` over the pairs that are kept, with 95 % intervals, and the tests of exchanging the arms.

    `NAME_p` is the p-value of the index and of the two differences; `asi_null` is the mean index that arms without any
    effect would have. Intervals resample questions; with `resamples=0` there are none, and no tests.
    """
    found = pairs(table)
    kept = found[found["dropped"] == ""]
    of, units = pair_columns(kept, protocol_of(table)), places_of(list(kept["unit"]))
    result = measured(PAIR_MEASURES, of, units, resamples, seed)
    both = of["asi"] + of["asi_exchanged"]
    both = both[~np.isnan(both)]
    result["asi_null"] = Estimate(float(both.mean()) / 2 if len(both) else NAN, len(kept))
    exchanged = {"asi": of["asi_exchanged"], **{name: -of[name] for name in ("confidence_drop", "hedging_difference")}}
    for name, other in exchanged.items() if resamples else ():
        test = swap_test(of[name], other, resamples, seed, units)
        result[f"{name}_p"] = Estimate(test.p, test.n)
    return result


def index_coverage(table: "pd.DataFrame") -> float:
    """Return the share of measured pairs among those that should be in the index; NaN without any.

    Those are the pairs with both arms of which neither is a refusal or no reply at all; what we could not decide, and
    replies without a confidence, are missing.
    """
    n = pairs(table)["dropped"].value_counts()
    due = sum(int(n.get(reason, 0)) for reason in ("", "unscored", "no_confidence"))
    return int(n.get("", 0)) / due if due else NAN
