"""Which number in a log of `bluff` is the n of a metric."""

from collections.abc import Mapping

_METRICS = {
    "pairs_n": "asi confidence_drop hedging_difference confidence_sensitivity hedging_sensitivity",
    "pairs_with_refusals_n": "asi_with_refusals confidence_drop_with_refusals hedging_difference_with_refusals",
    "hedge_n": "vui hedge_base_rate hedge_lift hedge_odds_ratio vui_of_always_hedging",
    "hedged_n": "hedge_precision",
    "hedge_wrong_n": "hedge_recall lexical_overconfidence",
    "source_set_on_hedging_n": "source_set_on_hedging",
    "refusal_n": "refusal_count refusal_rate refusal_sensitivity",
    "refusal_clear_n": "refusal_rate_clear",
    "refusal_ambiguous_n": "refusal_rate_ambiguous",
    "missed_refusals_n": "missed_refusals",
    "answer_correctness_n": "answer_correctness",
    "faithfulness_n": "faithfulness overlap attribution hallucination grounding",
    "confidence_n": "ece brier confidence_accuracy_correlation",
    "confidence_known_n": "confidence_mean refusal_rate_p20",
    "confidence_mass_n": "confidence_mass",
    "source_awareness_n": "source_awareness",
}
N_OF: Mapping[str, str] = {metric: n for n, metrics in _METRICS.items() for metric in metrics.split()}
"""The name of the n, by the name of the metric: the replies (or pairs) that it is computed over."""
