"""The metrics of a log of `bluff`: which number of the log is the n of each, and where people are shown it."""

from collections.abc import Mapping
from dataclasses import dataclass

from refusalbench_tasks.metrics.arm_names import IN_LOG, PAIRED, difference_name


@dataclass(frozen=True)
class Listed:
    """What is to be known of a metric beside its value."""

    n: str
    """The name of the n: the replies (or pairs) that it is computed over."""
    show: bool = False
    """Whether `refusalbench show` prints it."""
    report: bool = False
    """Whether the first table of a report has it."""
    beside: tuple[str, ...] = ()
    """Numbers of the log that belong to it, have its n, and are shown with it."""


def _plain(n: str, *names: str) -> dict[str, Listed]:
    """Return metrics of one n that are in the log alone."""
    return dict.fromkeys(names, Listed(n))


def _own_n(*names: str) -> dict[str, Listed]:
    """Return metrics that are in the log alone, each with an n of its own name."""
    return {name: Listed(f"{name}_n") for name in names}


LISTED: Mapping[str, Listed] = {
    "asi": Listed("pairs_n", show=True, report=True, beside=("asi_null", "asi_p")),
    "confidence_drop": Listed("pairs_n", show=True, report=True),
    "hedging_difference": Listed("pairs_n", show=True, report=True),
    **_plain("pairs_n", "confidence_sensitivity", "hedging_sensitivity"),
    **_plain("pairs_with_refusals_n", "asi_with_refusals"),
    **_plain("pairs_with_refusals_n", "confidence_drop_with_refusals", "hedging_difference_with_refusals"),
    "vui": Listed("hedge_n", show=True, report=True),
    "vui_of_always_hedging": Listed("hedge_n", show=True),
    "hedge_lift": Listed("hedge_n", show=True),
    **_plain("hedge_n", "hedge_base_rate", "hedge_odds_ratio"),
    "source_set_on_hedging": Listed("source_set_on_hedging_n", report=True),
    **_plain("hedge_strength_n", "hedge_strength", "source_set_on_hedge_strength"),
    **_plain("hedge_strength_clear_n", "hedge_strength_clear"),
    **_plain("hedge_strength_ambiguous_n", "hedge_strength_ambiguous"),
    "lexical_overconfidence": Listed("hedge_wrong_n", report=True),
    "hedge_precision": Listed("hedged_n", report=True),
    "hedge_recall": Listed("hedge_wrong_n", report=True),
    "refusal_count": Listed("refusal_n", report=True),
    "refusal_rate": Listed("refusal_n", report=True),
    **_plain("refusal_clear_n", "refusal_rate_clear"),
    **_plain("refusal_ambiguous_n", "refusal_rate_ambiguous"),
    **_plain("refusal_open_n", "refusal_rate_open"),
    **_plain("refusal_inferable_n", "refusal_rate_inferable"),
    "refusal_sensitivity": Listed("refusal_n", show=True, report=True),
    **_plain("missed_refusals_n", "missed_refusals"),
    "answer_correctness": Listed("answer_correctness_n", show=True, report=True),
    **_plain("answer_correctness_open_n", "answer_correctness_open"),
    **_plain("answer_correctness_inferable_n", "answer_correctness_inferable"),
    "faithfulness": Listed("faithfulness_n", show=True, report=True),
    **_plain("faithfulness_n", "overlap", "attribution", "hallucination", "grounding"),
    "ece": Listed("confidence_n", show=True, report=True),
    "brier": Listed("confidence_n", show=True, report=True),
    **_plain("confidence_n", "confidence_accuracy_correlation"),
    **_plain("confidence_known_n", "confidence_mean", "refusal_rate_p20"),
    **_plain("confidence_mass_n", "confidence_mass"),
    **_plain("source_awareness_n", "source_awareness"),
    **_plain("source_diversity_n", "source_diversity"),
    **_own_n(*(f"{measure}_{arm}" for measure in IN_LOG for arm in PAIRED)),
    **_own_n(*map(difference_name, IN_LOG)),
    **_own_n("hedged_correctness", "plain_correctness", "hedged_correctness_difference"),
    **_own_n("hedges_per_100_words_clear", "hedges_per_100_words_ambiguous", "hedges_per_100_words_difference"),
    **_own_n("hedge_difference_at_equal_length"),
    **_own_n("auroc_confidence", "auroc_hedging", "aurc_confidence", "aurc_hedging"),
}
"""Every metric, in the order in which people are shown them. A new metric is an entry here."""
N_OF: Mapping[str, str] = {name: metric.n for name, metric in LISTED.items()}
"""The name of the n, by the name of the metric."""
IN_SHOW: Mapping[str, str] = {
    shown: metric.n for name, metric in LISTED.items() if metric.show for shown in (name, *metric.beside)
}
"""What `refusalbench show` prints, with the name of its n."""
IN_REPORT = tuple(name for name, metric in LISTED.items() if metric.report)
"""The columns of the first table of a report."""
