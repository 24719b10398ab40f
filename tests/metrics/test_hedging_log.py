"""The values that a log of `bluff` gets, worked by hand: counts, calibration, paired effects and intervals."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.metrics.hedging_calibration import calibration_values
from refusalbench_tasks.metrics.hedging_counts import counts
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_rates import RATE_TABLE, RATES, rate_cells, rate_statistics
from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.metrics.score_reading import hedging_rows
from refusalbench_tasks.metrics.scored_row import Scored
from refusalbench_tasks.stats.cluster import bootstrap, bounded_bootstrap, cluster_sums
from refusalbench_tasks.stats.paired import swap_test
from refusalbench_tasks.stats.uncertainty import ENDINGS

NAN = math.nan
NUMBERS = {"refused": 0.0, "correctness": 1.0, "confidence": 0.5, "hedges": 0.0, "boosters": 0.0, "words": 10.0}
FAITH = {"overlap": 0.1, "attribution": 0.5, "hallucination": 0.25, "grounding": 0.2, "faithfulness": 0.4}


def row(
    question: str, arm: str, about: dict[str, Any] | None = None, reason: str | None = None, **numbers: float
) -> HedgingRow:
    scored = Scored(NUMBERS | FAITH | {"unscored": 0.0} | numbers, reason=reason, notes=about or {})
    return hedging_row({"source_id": question, "arm": arm}, scored)


def missing(reason: str) -> dict[str, Any]:
    return {"confidence": {"missing": reason, "mass": None}}


ROWS = HedgingRows(
    [
        row(
            "a",
            "clear",
            {"decided_by": "judge", "confidence": {"mass": 0.9}, "quality": 0.8, "hosts": 5},
            confidence=0.9,
            hedges=1,
        ),
        row(
            "a",
            "ambiguous",
            {"decided_by": "judge", "self_graded": True, "quality": 0.2, "hosts": 3},
            confidence=0.6,
            hedges=2,
        ),
        row(
            "b",
            "clear",
            {"decided_by": "judge", "confidence": {"mass": 0.7}, "quality": 0.6, "hosts": 4},
            confidence=0.8,
        ),
        row("b", "ambiguous", {"decided_by": "phrase"}, refused=1, correctness=NAN, confidence=0.2),
        row("c", "clear", {"decided_by": "judge"}, correctness=NAN, confidence=0.3),
        row("c", "ambiguous", missing("low_mass"), correctness=0.1, confidence=NAN, hedges=3),
        row("d", "clear", missing("no_letter"), "truncated", unscored=1, refused=NAN, correctness=NAN, confidence=NAN),
        row("d", "ambiguous", {"epoch": 1}, correctness=0.4, confidence=0.6),
        row("e", "clear", {"refusal_in_text": True}, correctness=0.2, confidence=0.7),
    ]
)


def test_the_counts() -> None:
    assert counts(ROWS) == {
        "n": 9,
        "n_clear": 5,
        "n_ambiguous": 4,
        "n_questions": 5,
        "n_pairs": 5,
        "n_pairs_missing_arm": 1,
        "n_pairs_unscored": 1,
        "n_pairs_refused": 1,
        "n_pairs_no_confidence": 1,
        "n_unscored": 1,
        "n_ungraded": 1,
        "n_refused_in_explanation": 1,
        "n_by_phrase": 1,
        "n_by_judge": 4,
        "n_self_graded": 1,
        "n_truncated": 1,
        "n_confidence_low_mass": 1,
        "n_confidence_no_letter": 1,
    }


def test_the_refusals_and_the_sources() -> None:
    m = main_values(ROWS)
    expected = {
        "refusal_n": 8,
        "refusal_clear_n": 4,
        "refusal_ambiguous_n": 4,
        "refusal_count": 1,
        "refusal_rate": 1 / 8,
        "refusal_rate_clear": 0,
        "refusal_rate_ambiguous": 1 / 4,
        "refusal_sensitivity": 1 / 4,
        "confidence_known_n": 7,
        "missed_refusals": 1,  # 0.1 lies below 0.15
        "missed_refusals_n": 6,
        "source_awareness_n": 3,
        # mean reliability .8, .2, .6 beside confidence .9, .6, .8
        "source_awareness": float(np.corrcoef([0.8, 0.2, 0.6], [0.9, 0.6, 0.8])[0, 1]),
        "source_diversity_n": 3,
        "source_diversity": float(np.corrcoef([5, 3, 4], [0.9, 0.6, 0.8])[0, 1]),
        "answer_correctness_n": 6,
        "answer_correctness": (1 + 1 + 1 + 0.1 + 0.4 + 0.2) / 6,
        "source_set_on_hedging": (2 + 0 + 3 + 0) / 4 - 1 / 5,
        "source_set_on_hedging_n": 9,
        "faithfulness_n": 9,
        **FAITH,
    }
    assert {name: m[name] for name in expected} == pytest.approx(expected)


def test_refusals_are_unknown_where_only_plain_ones_could_be_told() -> None:
    offline = row("f", "clear", None, "undecided_offline", unscored=1, refused=NAN, correctness=NAN)
    m = main_values(HedgingRows([*ROWS, offline]))
    assert (m["refusal_n"], m["refusal_clear_n"], m["refusal_ambiguous_n"]) == (0, 0, 0)
    for name in ("refusal_count", "refusal_rate", "refusal_rate_clear", "refusal_sensitivity"):
        assert math.isnan(m[name]), name
    refused = rate_cells(HedgingRows([*ROWS, offline]), "paper").sum(axis=0)[4:8]
    assert refused.tolist() == [0, 0, 0, 0]


def test_the_calibration() -> None:
    # with both: .9 right, .6 right, .8 right, .6 at .4, .7 at .2; the bins are (0, .1], (.1, .2] ...
    found = calibration_values(ROWS)
    errors = [(0.9 - 1), (0.8 - 1), (0.6 - 1 + 0.6 - 0.4), (0.7 - 0.2)]
    squares = [0.1, 0.4, 0.2, 0.2, 0.5]
    pairs = [0.9, 0.6, 0.8, 0.6, 0.7], [1, 1, 1, 0.4, 0.2]
    assert found == pytest.approx(
        {
            "confidence_n": 5,
            "ece": sum(map(abs, errors)) / 5,
            "brier": sum(x * x for x in squares) / 5,
            "confidence_accuracy_correlation": float(np.corrcoef(*pairs)[0, 1]),
            "confidence_mean": (0.9 + 0.6 + 0.8 + 0.2 + 0.3 + 0.6 + 0.7) / 7,
            "confidence_mass": 0.8,
            "confidence_mass_n": 2,
        }
    )


def test_the_released_calibration_has_no_bin_for_1_and_credits_refusals() -> None:
    official = {"protocol": "official-code"}
    rows = [
        row("a", "clear", official, confidence=1.0, correctness=0.5),
        row("a", "ambiguous", official, confidence=0.35, correctness=0.85),
        row("b", "clear", official, refused=1, correctness=NAN, confidence=0.6),
    ]
    found = calibration_values(HedgingRows(rows))
    assert found["confidence_n"] == 3
    assert found["ece"] == pytest.approx((0.5 + 0.2) / 3)  # .35 beside .85, .6 beside the credit of .4; 1 in no bin
    assert found["brier"] == pytest.approx((0.25 + 0.25 + 0.04) / 3)


PAIRS = HedgingRows(
    [
        row("a", "clear", confidence=0.9, hedges=1),
        row("a", "ambiguous", confidence=0.6, hedges=2),
        row("b", "clear", confidence=0.8),
        row("b", "ambiguous", confidence=0.9),
        row("c", "clear", confidence=0.5, hedges=2),
        row("c", "ambiguous", confidence=0.5, hedges=1),
    ]
)
REFUSED = [row("d", "clear", confidence=0.7, hedges=1), row("d", "ambiguous", refused=1, confidence=0.3, hedges=5)]


def test_the_paired_effects() -> None:
    # confidence falls by .3, -.1 (doubled: -.2) and 0; density rises by .1, 0 and -.1
    e, m = effects(PAIRS, 200, 3), main_values(PAIRS)
    index, exchanged = [0.2, -0.1, -0.05], [(-0.6 - 0.1) / 2, 0.05, 0.05]
    assert (e["pairs_n"], e["pairs_with_refusals_n"]) == (3, 3)
    assert e["asi"] == pytest.approx(0.05 / 3)
    assert e["confidence_drop"] == pytest.approx(0.2 / 3)
    assert e["hedging_difference"] == pytest.approx(0, abs=1e-12)
    assert m["confidence_sensitivity"] == pytest.approx(0.1 / 3)
    assert m["hedging_sensitivity"] == pytest.approx(0, abs=1e-12)
    test = swap_test(np.array(index), np.array(exchanged), 200, 3, ["a", "b", "c"])
    assert (e["asi_p"], e["asi_null"]) == pytest.approx((test.p, test.expected))
    assert e["asi_null"] == pytest.approx((sum(index) + sum(exchanged)) / 6)
    drops = np.array([0.3, -0.1, 0.0])
    assert e["confidence_drop_p"] == swap_test(drops, -drops, 200, 3, ["a", "b", "c"]).p
    columns = np.column_stack([index, drops, [0.1, 0.0, -0.1], np.ones(3)])
    found = bootstrap(columns, lambda sums: sums[..., :-1] / sums[..., -1:], 200, 3)
    for i, name in enumerate(("asi", "confidence_drop", "hedging_difference")):
        bounds = e[f"{name}_ci_low"], e[f"{name}_ci_high"]
        assert bounds == pytest.approx((found.low[i], found.high[i]), abs=1e-12), name
    measures = ("asi", "confidence_drop", "hedging_difference")
    parts = ("", "_p", *(f"_{ending}" for ending in ENDINGS))
    ends = ("", "_with_refusals")
    paired = {f"{measure}{end}{part}" for measure in measures for end in ends for part in parts}
    named = {f"pairs{end}_n" for end in ends} | {f"asi{end}_null" for end in ends} | paired
    assert set(e) == named | {f"{name}_{ending}" for name in RATE_TABLE for ending in ENDINGS}
    # of three questions the jackknife is s / sqrt(n)
    assert e["confidence_drop_stderr"] == pytest.approx(drops.std(ddof=1) / math.sqrt(3))
    assert e["confidence_drop_bootstrap_stderr"] == pytest.approx(found.stderr[1])


def test_means_of_replies_have_both_errors_and_an_interval() -> None:
    values = [0.1 * (k % 5) for k in range(40)]
    rows = [row(f"q{k}", "clear", faithfulness=value, hedges=float(k % 2)) for k, value in enumerate(values)]
    rows += [row(f"q{k}", "ambiguous", faithfulness=NAN, hedges=1.0, refused=float(k < 10)) for k in range(40)]
    e, m = effects(HedgingRows(rows), 1000, 0), main_values(HedgingRows(rows))
    textbook = np.std(values, ddof=1) / math.sqrt(40)
    assert e["faithfulness_stderr"] == pytest.approx(textbook)
    assert e["faithfulness_bootstrap_stderr"] == pytest.approx(textbook, rel=0.1)
    assert e["refusal_rate_ambiguous_stderr"] == pytest.approx(math.sqrt(0.25 * 0.75 / 39))
    # always one hedge under ambiguous sources, half of the times under clear ones
    assert e["source_set_on_hedging_stderr"] == pytest.approx(math.sqrt(0.25 / 39))
    for name, value in {"faithfulness": 0.2, "refusal_rate_ambiguous": 0.25, "source_set_on_hedging": 0.5}.items():
        assert m[name] == pytest.approx(value)
        assert e[f"{name}_ci_low"] < value < e[f"{name}_ci_high"]


def test_refusals_and_unscored_replies_with_known_numbers_are_kept_in_the_second_set() -> None:
    unscored = [row("e", "clear", None, "grader_failed", unscored=1, confidence=0.4), row("e", "ambiguous")]
    unknown = [row("f", "clear", confidence=NAN), row("f", "ambiguous"), row("g", "clear")]
    unread = [row("h", "clear", unscored=1, confidence=NAN), row("h", "ambiguous")]
    e = effects(HedgingRows([*PAIRS, *REFUSED, *unscored, *unknown, *unread]), 20, 0)
    assert (e["pairs_n"], e["pairs_with_refusals_n"]) == (3, 5)
    drops = [0.3, -0.1, 0.0, 0.4, -0.1]
    assert e["confidence_drop_with_refusals"] == pytest.approx(sum(drops) / 5)
    assert e["hedging_difference_with_refusals"] == pytest.approx((0.1 + 0 - 0.1 + 0.4 + 0) / 5)
    assert e["confidence_drop"] == pytest.approx(0.2 / 3)


def test_the_released_differences_are_doubled_where_negative() -> None:
    rows = HedgingRows(replace(one, protocol="official-code") for one in PAIRS)
    assert main_values(rows)["hedging_sensitivity"] == pytest.approx((0.1 + 0 - 0.2) / 3)
    assert effects(rows, 10, 0)["asi"] == pytest.approx((0.2 - 0.1 - 0.1) / 3, abs=1e-12)


def test_the_intervals_of_the_rates_resample_questions() -> None:
    rows = HedgingRows([*ROWS, *PAIRS[:2]])
    e = effects(rows, 80, 5)
    sums = cluster_sums(rate_cells(rows, "paper"), [one.question for one in rows])
    bounded, plain = bounded_bootstrap(sums, rate_statistics, 80, 5), bootstrap(sums, rate_statistics, 80, 5)
    for name, found in (("vui", bounded), ("answer_correctness", bounded), ("hedge_lift", plain)):
        at = RATES.index(name)
        bounds = e[f"{name}_ci_low"], e[f"{name}_ci_high"]
        assert bounds == pytest.approx((found.low[at], found.high[at]), nan_ok=True), name
    at = RATES.index("refusal_sensitivity")
    assert e["refusal_sensitivity_ci_high"] == pytest.approx(plain.high[at])
    assert plain.low[at] < plain.high[at]


def test_a_difference_that_no_resample_moves_is_not_certain() -> None:
    # 0 of 3 questions are refused in one arm and 3 of 3 in the other: Wilson's bounds of 0/3 and 3/3, after Newcombe
    rows = [row(name, "clear") for name in "abc"]
    rows += [row(name, "ambiguous", refused=1, correctness=NAN) for name in "abc"]
    z2 = 1.959964**2
    bound = z2 / (3 + z2)
    e = effects(HedgingRows(rows), 50, 0)
    assert e["refusal_sensitivity_ci_low"] == pytest.approx(1 - math.sqrt(2) * bound)
    assert e["refusal_sensitivity_ci_high"] == pytest.approx(1)


def test_rows_are_read_from_scores_and_paired_by_question_and_epoch() -> None:
    score = Score(value={**NUMBERS, "unscored": 0.0}, metadata={"epoch": 2, "protocol": "official-code"})
    (read,) = hedging_rows([SampleScore(score=score, sample_metadata={"source_id": 5, "arm": "clear"})])
    assert (read.question, read.arm, read.epoch, read.reason) == ("5", "clear", 2, None)
    assert read.protocol == "official-code"
    assert read.numbers["words"] == 10
    bare = hedging_row({"source_id": "q", "arm": "ambiguous"}, Scored(NUMBERS))
    assert (bare.epoch, bare.protocol, bare.decided_by, bare.graders) == (1, None, None, ())
    assert math.isnan(bare.quality)
    assert math.isnan(bare.confidence_mass)
    pairs = HedgingRows([read, row("5", "ambiguous"), row("5", "ambiguous", {"epoch": 2})]).pairs
    assert [(pair.question, pair.clear is None, pair.ambiguous is None) for pair in pairs] == [
        ("5", True, False),
        ("5", False, False),
    ]


def test_density_is_hedges_a_word_and_no_words_count_as_one() -> None:
    assert row("a", "clear", hedges=3, words=12).density == 0.25
    assert row("a", "clear", hedges=0, words=0).density == 0


def test_the_errors_of_questions_and_of_rows() -> None:
    # two epochs; the confidence of question a drops by .2, that of b by .4
    drops = {"a": 0.2, "b": 0.4}
    made = [
        row(q, arm, {"epoch": epoch}, confidence=0.9 - drop * (arm == "ambiguous"))
        for q, drop in drops.items()
        for epoch in (1, 2)
        for arm in ("clear", "ambiguous")
    ]
    by_question, by_row = (
        effects(HedgingRows(replace(one, cluster=cluster) for one in made), 200, 0) for cluster in ("question", "row")
    )
    # s / sqrt(n) of .2 and .4, and of .2, .2, .4 and .4
    assert by_question["confidence_drop_stderr"] == pytest.approx(0.1)
    assert by_row["confidence_drop_stderr"] == pytest.approx(math.sqrt(4 * 0.1**2 / 3 / 4))
    # two questions have one way to agree in 2, four pairs one in 8
    assert by_question["confidence_drop_p"] > by_row["confidence_drop_p"]
    refusing = HedgingRows(replace(one, numbers={**one.numbers, "refused": float(one.question == "a")}) for one in made)
    by_row = effects(HedgingRows(replace(one, cluster="row") for one in refusing), 200, 0)
    # of questions 1 and 0: .5; of eight replies, four of which refuse: s / sqrt(8)
    assert effects(refusing, 200, 0)["refusal_rate_stderr"] == pytest.approx(0.5)
    assert by_row["refusal_rate_stderr"] == pytest.approx(math.sqrt(8 * 0.25 / 7 / 8))
