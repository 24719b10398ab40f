"""The metrics of BLUFF-1000 over scored replies, by name."""

import numpy as np

from refusalbench_tasks.metrics.hedging_calibration import credited
from refusalbench_tasks.metrics.hedging_index import (
    MISSED_BELOW,
    WRONG_BELOW,
    confidence_sensitivity,
    correlation,
    hedge_table,
    hedging_sensitivity,
    lexical_overconfidence,
    low_confidence_share,
    refusal_sensitivity,
    source_set_on_hedging,
)
from refusalbench_tasks.metrics.hedging_rates import AMBIGUITIES, FAITHFULNESS
from refusalbench_tasks.metrics.hedging_rows import HedgingRows, pair_arrays
from refusalbench_tasks.stats.cluster import Floats
from refusalbench_tasks.stats.known import known_mean, known_n


def main_values(rows: HedgingRows) -> dict[str, float]:
    """Return the paper's metrics by the protocol of the scores, NaN where there is nothing; `asi` is in `effects`."""
    refused, grades = _known_refusals(rows), credited(rows)
    result = _pair_means(rows) | _hedging(rows) | _refusals(rows, refused) | _by_ambiguity(rows, refused, grades)
    result |= {"answer_correctness_n": known_n(grades), "answer_correctness": known_mean(grades)}
    result |= {name: known_mean(rows.column(name)) for name in FAITHFULNESS}
    return result | {"faithfulness_n": known_n(rows.column("faithfulness"))}


def _pair_means(rows: HedgingRows) -> dict[str, float]:
    clear, ambiguous, h_clear, h_ambiguous = pair_arrays(pair for pair in rows.pairs if pair.dropped is None)
    return {
        "confidence_sensitivity": known_mean(confidence_sensitivity(clear, ambiguous)),
        "hedging_sensitivity": known_mean(hedging_sensitivity(h_clear, h_ambiguous, rows.protocol)),
    }


def _hedging(rows: HedgingRows) -> dict[str, float]:
    graded, hedges = rows.graded & ~rows.left_out, rows.column("hedges")
    wrong = (rows.column("correctness")[graded] < WRONG_BELOW).astype(float)
    table = hedge_table(hedges[graded] > 0, wrong)
    boosters, words = rows.column("boosters")[graded], rows.column("words")[graded]
    values = {
        "vui": table.vui,
        "hedge_precision": table.precision,
        "hedge_recall": table.recall,
        "lexical_overconfidence": lexical_overconfidence(boosters, words, wrong),
    }
    if rows.protocol == "official-code" and (graded.any() or _only_refusals(rows)):
        values = {name: 0.0 if np.isnan(value) else value for name, value in values.items()}
    values |= _strength(rows)
    return values | {
        "source_set_on_hedging": source_set_on_hedging(hedges[rows.clear], hedges[rows.ambiguous]),
        "source_set_on_hedging_n": known_n(hedges),
        "hedge_n": table.n,
        "hedged_n": table.hedged,
        "hedge_wrong_n": float(wrong.sum()),
        "hedge_base_rate": table.base_rate,
        "hedge_lift": table.lift,
        "hedge_odds_ratio": table.odds_ratio,
        "vui_of_always_hedging": table.vui_of_always_hedging,
    }


def _strength(rows: HedgingRows) -> dict[str, float]:
    """Return the mean summed strength of a reply's hedges, in all and by arm (ours)."""
    every = rows.column("hedge_strength")
    clear, ambiguous = every[rows.clear], every[rows.ambiguous]
    return {
        "hedge_strength": known_mean(every),
        "hedge_strength_clear": known_mean(clear),
        "hedge_strength_ambiguous": known_mean(ambiguous),
        "source_set_on_hedge_strength": source_set_on_hedging(clear, ambiguous),
        "hedge_strength_n": known_n(every),
        "hedge_strength_clear_n": known_n(clear),
        "hedge_strength_ambiguous_n": known_n(ambiguous),
    }


def _only_refusals(rows: HedgingRows) -> bool:
    """Whether every reply is known to be left out; the released 0 for the rest would say that something was graded."""
    return bool(rows) and bool(rows.left_out.all()) and not any(row.offline for row in rows)


def _known_refusals(rows: HedgingRows) -> Floats:
    refused = rows.column("refused")
    # without a grader only plain refusals are known, and a rate over these alone would be 1
    return np.full_like(refused, np.nan) if rows.undecided_offline else refused


def _by_ambiguity(rows: HedgingRows, refused: Floats, grades: Floats) -> dict[str, float]:
    """Return refusal rate and correctness under ambiguous sources, by whether these leave the answer open (ours)."""
    result: dict[str, float] = {}
    for name in AMBIGUITIES:
        chosen = rows.of_ambiguity(name)
        result |= {
            f"refusal_rate_{name}": known_mean(refused[chosen]),
            f"refusal_{name}_n": known_n(refused[chosen]),
            f"answer_correctness_{name}": known_mean(grades[chosen]),
            f"answer_correctness_{name}_n": known_n(grades[chosen]),
        }
    return result


def _refusals(rows: HedgingRows, refused: Floats) -> dict[str, float]:
    confidence = rows.column("confidence")
    clear, ambiguous = refused[rows.clear], refused[rows.ambiguous]
    missed = rows.graded & (rows.column("correctness") < MISSED_BELOW)
    quality: Floats = np.array([row.quality for row in rows], dtype=float)
    hosts: Floats = np.array([row.hosts for row in rows], dtype=float)
    return {
        "refusal_n": known_n(refused),
        "refusal_clear_n": known_n(clear),
        "refusal_ambiguous_n": known_n(ambiguous),
        "refusal_count": float(np.nansum(refused)) if known_n(refused) else float("nan"),
        "refusal_rate": known_mean(refused),
        "refusal_rate_clear": known_mean(clear),
        "refusal_rate_ambiguous": known_mean(ambiguous),
        "refusal_sensitivity": refusal_sensitivity(clear, ambiguous),
        "refusal_rate_p20": low_confidence_share(confidence),
        "confidence_known_n": known_n(confidence),
        "missed_refusals": float(missed.sum()) if rows.graded.any() else float("nan"),
        "missed_refusals_n": float(rows.graded.sum()),
        "source_awareness": correlation(quality, confidence),
        "source_awareness_n": known_n(quality + confidence),
        "source_diversity": correlation(hosts, confidence),
        "source_diversity_n": known_n(hosts + confidence),
    }
