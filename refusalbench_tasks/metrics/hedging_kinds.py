"""What replies do under each kind of ambiguity: conflict, missing, outdated, and whatever the data name."""

from collections.abc import Mapping

from refusalbench_tasks.metrics.hedging_arms import MEANS, Estimate, arm_estimates
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.stats.known import known_mean, known_n

MEASURES = ("refusal_rate", "hedge_rate", "confidence_mean", "answer_correctness")
IN_LOG = ("refusal_rate", "hedge_rate")
"""What the log has of each kind."""


def kinds_of(rows: HedgingRows) -> dict[str, HedgingRows]:
    """Return the rows of each kind of ambiguity, those of both arms; rows whose data name none are in none."""
    kind = {(row.question, row.epoch): row.kind for row in rows if row.arm == "ambiguous" and row.kind}
    return {
        name: HedgingRows(row for row in rows if kind.get((row.question, row.epoch)) == name)
        for name in sorted(set(kind.values()))
    }


def kind_estimates(
    rows: HedgingRows, resamples: int = 1000, seed: int = 0
) -> dict[str, Mapping[str, Mapping[str, Estimate]]]:
    """Return by kind each measure of both arms and their difference, as `arm_estimates` does."""
    return {
        name: {measure: arm_estimates(of_kind, resamples, seed)[measure] for measure in MEASURES}
        for name, of_kind in kinds_of(rows).items()
    }


def kind_values(rows: HedgingRows) -> dict[str, float]:
    """Return the rates under ambiguous sources of each kind as `MEASURE_under_KIND` with its n, for a log."""
    result: dict[str, float] = {}
    for kind, of_kind in kinds_of(rows).items():
        for measure in IN_LOG:
            values = MEANS[measure](of_kind)[of_kind.ambiguous]
            result |= {f"{measure}_under_{kind}": known_mean(values), f"{measure}_under_{kind}_n": known_n(values)}
    return result
