"""The metrics of BLUFF-1000 over scored replies, by name."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.metrics.calibration import brier_score, equal_width, expected_calibration_error
from refusalbench_tasks.metrics.hedging import (
    MISSED_BELOW,
    OFFICIAL_REFUSAL_CREDIT,
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
from refusalbench_tasks.metrics.hedging_rows import (
    DROPPED,
    HedgingRow,
    Pair,
    column,
    pairs_of,
    protocol_of,
)
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats

FAITHFULNESS = ("faithfulness", "overlap", "attribution", "hallucination", "grounding")


def main_values(rows: Sequence[HedgingRow]) -> dict[str, float]:
    """Return the paper's metrics by the protocol of the scores, NaN where there is nothing; `asi` is in `effects`."""
    protocol = protocol_of(rows)
    kept = [pair for pair in pairs_of(rows) if pair.dropped is None]
    result = _pair_means(kept, protocol) | _hedging(rows, protocol) | _refusals(rows)
    result |= _correctness(rows, protocol)
    for name in FAITHFULNESS:
        values = column(rows, name)
        result[name] = _mean(values)
    result["faithfulness_n"] = _known(column(rows, "faithfulness"))
    return result


def _pair_means(pairs: Sequence[Pair], protocol: Protocol) -> dict[str, float]:
    clear, ambiguous, h_clear, h_ambiguous = pair_arrays(pairs)
    return {
        "confidence_sensitivity": _mean(confidence_sensitivity(clear, ambiguous)),
        "hedging_sensitivity": _mean(hedging_sensitivity(h_clear, h_ambiguous, protocol)),
    }


def pair_arrays(pairs: Sequence[Pair]) -> tuple[Floats, Floats, Floats, Floats]:
    """Return confidence (clear, ambiguous) and hedging density (clear, ambiguous) of whole pairs, shape (n,) each."""
    both = [(pair.clear, pair.ambiguous) for pair in pairs if pair.clear and pair.ambiguous]
    first, second = [a for a, _ in both], [b for _, b in both]
    return (
        column(first, "confidence"),
        column(second, "confidence"),
        column(first, lambda row: row.density),
        column(second, lambda row: row.density),
    )


def _wrong(row: HedgingRow) -> float:
    return float(row.numbers["correctness"] < WRONG_BELOW)


def _hedging(rows: Sequence[HedgingRow], protocol: Protocol) -> dict[str, float]:
    graded = [row for row in rows if row.graded and not row.left_out]
    wrong = column(graded, _wrong)
    table = hedge_table(column(graded, lambda row: row.numbers["hedges"] > 0), wrong)
    overconfidence = lexical_overconfidence(column(graded, "boosters"), column(graded, "words"), wrong)
    values = {
        "vui": table.vui,
        "hedge_precision": table.precision,
        "hedge_recall": table.recall,
        "lexical_overconfidence": overconfidence,
    }
    if protocol == "official-code" and (graded or _only_refusals(rows)):
        values = {name: 0.0 if np.isnan(value) else value for name, value in values.items()}
    return values | {
        "source_set_on_hedging": source_set_on_hedging(*_arms(rows, "hedges")),
        "source_set_on_hedging_n": _known(column(rows, "hedges")),
        "hedge_n": table.n,
        "hedged_n": table.hedged,
        "hedge_wrong_n": float(wrong.sum()),
        "hedge_base_rate": table.base_rate,
        "hedge_lift": table.lift,
        "hedge_odds_ratio": table.odds_ratio,
        "vui_of_always_hedging": table.vui_of_always_hedging,
    }


def _only_refusals(rows: Sequence[HedgingRow]) -> bool:
    """Whether every reply is known to be left out; the released 0 for the rest would say that something was graded."""
    return bool(rows) and all(row.left_out and row.about.get("judge") != "offline" for row in rows)


def _refusals(rows: Sequence[HedgingRow]) -> dict[str, float]:
    refused, (clear, ambiguous) = column(rows, "refused"), _arms(rows, "refused")
    confidence = column(rows, "confidence")
    if any(row.reason == "undecided_offline" for row in rows):
        # without a grader only plain refusals are known, and a rate over these alone would be 1
        refused, clear, ambiguous = (np.full_like(values, np.nan) for values in (refused, clear, ambiguous))
    graded = [row for row in rows if row.graded]
    missed = sum(row.numbers["correctness"] < MISSED_BELOW for row in graded)
    quality = column(rows, lambda row: row.about.get("quality", np.nan))
    return {
        "refusal_n": _known(refused),
        "refusal_clear_n": _known(clear),
        "refusal_ambiguous_n": _known(ambiguous),
        "refusal_count": float(np.nansum(refused)) if _known(refused) else float("nan"),
        "refusal_rate": _mean(refused),
        "refusal_rate_clear": _mean(clear),
        "refusal_rate_ambiguous": _mean(ambiguous),
        "refusal_sensitivity": refusal_sensitivity(clear, ambiguous),
        "refusal_rate_p20": low_confidence_share(confidence),
        "confidence_known_n": _known(confidence),
        "missed_refusals": float(missed) if graded else float("nan"),
        "missed_refusals_n": float(len(graded)),
        "source_awareness": correlation(quality, confidence),
        "source_awareness_n": _known(quality + confidence),
    }


def credited(rows: Sequence[HedgingRow], protocol: Protocol) -> Floats:
    """Return the correctness of each row: answers only, and for `official-code` 0.4 for a refusal; else NaN.

    Where no answer was graded, refusals get nothing either: a mean over them alone would be 0.4 for any model.
    """
    correctness = column(rows, "correctness")
    ungraded = any(row.answered for row in rows) and bool(np.isnan(correctness).all())
    if protocol == "official-code" and not ungraded:
        return np.where(column(rows, "refused") == 1, OFFICIAL_REFUSAL_CREDIT, correctness)
    return correctness


def _correctness(rows: Sequence[HedgingRow], protocol: Protocol) -> dict[str, float]:
    values = credited(rows, protocol)
    return {"answer_correctness_n": _known(values), "answer_correctness": _mean(values)}


def calibration_values(rows: Sequence[HedgingRow]) -> dict[str, float]:
    """Return ECE (ten bins), Brier and the correlation of confidence with correctness, over rows that have both.

    Answers only; `official-code`: with refusals at 0.4, and a confidence of exactly 1 in no bin. `confidence_mass` is
    the mean probability of both letters together, over every reply whose letters were looked for.
    """
    official = protocol_of(rows) == "official-code"
    confidence, correctness = column(rows, "confidence"), credited(rows, protocol_of(rows))
    both = ~(np.isnan(confidence) | np.isnan(correctness))
    c, a = confidence[both], correctness[both]
    return {
        "confidence_n": float(len(c)),
        "ece": expected_calibration_error(equal_width(c, a, closed=not official), len(c)),
        "brier": brier_score(c, a),
        "confidence_accuracy_correlation": correlation(c, a),
        "confidence_mean": _mean(confidence),
        "confidence_mass": _mean(column(rows, _mass)),
        "confidence_mass_n": _known(column(rows, _mass)),
    }


def _mass(row: HedgingRow) -> float:
    mass = (row.about.get("confidence") or {}).get("mass")
    return float("nan") if mass is None else float(mass)


def counts(rows: Sequence[HedgingRow]) -> dict[str, float]:
    """Return how many replies and pairs there are, how they were decided, and why some are missing."""
    pairs = pairs_of(rows)
    dropped = Counter(pair.dropped for pair in pairs)
    unscored = Counter(row.reason for row in rows if row.numbers["unscored"])
    missing = Counter((row.about.get("confidence") or {}).get("missing") for row in rows)
    result: dict[str, float] = {
        "n": len(rows),
        "n_clear": sum(row.arm == "clear" for row in rows),
        "n_ambiguous": sum(row.arm == "ambiguous" for row in rows),
        "n_questions": len({row.question for row in rows}),
        "n_pairs": len(pairs),
        **{f"n_pairs_{reason}": dropped[reason] for reason in DROPPED},
        "n_unscored": sum(unscored.values()),
        "n_ungraded": sum(row.answered and not row.graded for row in rows),
        "n_refused_in_explanation": sum(row.answered and row.left_out for row in rows),
        "n_by_phrase": sum(row.about.get("decided_by") == "phrase" for row in rows),
        "n_by_judge": sum(row.about.get("decided_by") == "judge" for row in rows),
        "n_self_graded": sum(bool(row.about.get("self_graded")) for row in rows),
    }
    result |= {f"n_{reason}": n for reason, n in sorted(unscored.items(), key=str)}
    return result | {f"n_confidence_{reason}": n for reason, n in sorted(missing.items(), key=str) if reason}


def _arms(rows: Sequence[HedgingRow], name: str) -> tuple[Floats, Floats]:
    clear, ambiguous = ([row for row in rows if row.arm == arm] for arm in ("clear", "ambiguous"))
    return column(clear, lambda r: r.numbers[name]), column(ambiguous, lambda r: r.numbers[name])


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _known(values: Floats) -> float:
    return float((~np.isnan(values)).sum())
