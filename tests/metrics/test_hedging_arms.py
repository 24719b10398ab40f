"""What replies do under each kind of sources, at equal length, from epoch to epoch, by topic and by term, by hand."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from refusalbench_tasks.metrics.arm_names import MEASURES
from refusalbench_tasks.metrics.hedging_arms import MEANS, arm_estimates, arm_values
from refusalbench_tasks.metrics.hedging_calibration import calibration_values
from refusalbench_tasks.metrics.hedging_contrasts import at_equal_length, hedged_against_plain
from refusalbench_tasks.metrics.hedging_parts import by_topic, term_uses
from refusalbench_tasks.metrics.hedging_repeats import repeat_values
from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.scored_row import Scored

NAN = math.nan
NUMBERS = {"refused": 0.0, "correctness": 1.0, "confidence": 0.5, "hedges": 0.0, "boosters": 0.0, "words": 10.0}
FAITH = dict.fromkeys(("overlap", "attribution", "hallucination", "grounding", "faithfulness"), NAN)


def row(question: str, arm: str, about: dict[str, Any] | None = None, **numbers: float) -> HedgingRow:
    scored = Scored(NUMBERS | FAITH | {"unscored": 0.0} | numbers, notes=about or {})
    return hedging_row({"source_id": question, "arm": arm, "topic": question[0]}, scored)


ROWS = HedgingRows(
    [
        row("a", "clear", confidence=0.9, faithfulness=0.6, words=10),
        row("b", "clear", confidence=0.92, correctness=0.5, hedges=1, faithfulness=0.4, words=20),
        row("c", "clear", confidence=0.7, correctness=0.3, words=30),
        row("a", "ambiguous", confidence=0.5, correctness=0.2, hedges=2, faithfulness=0.2, words=20),
        row("b", "ambiguous", confidence=0.1, refused=1, correctness=NAN, hedges=3, words=5),
        row("c", "ambiguous", confidence=NAN, correctness=NAN, hedges=1, words=40),
    ]
)


def test_each_arm_has_its_means_over_its_own_replies() -> None:
    m = arm_values(ROWS, 20)
    expected = {
        "answer_correctness_clear": (1.8 / 3, 3),
        "answer_correctness_ambiguous": (0.2, 1),
        "answer_correctness_difference": (0.2 - 0.6, 4),
        "hedge_rate_clear": (1 / 3, 3),
        "hedge_rate_ambiguous": (1.0, 2),  # the refusal is no answer
        "hedge_rate_difference": (2 / 3, 5),
        "confidence_mean_clear": (2.52 / 3, 3),
        "confidence_mean_ambiguous": (0.3, 2),
        "confidence_mean_difference": (0.3 - 0.84, 5),
        "faithfulness_clear": (0.5, 2),
        "faithfulness_ambiguous": (0.2, 1),
        # .9 and .92 share a bin: |(1 - .9) + (.5 - .92)| = .32, and |.3 - .7| = .4
        "ece_clear": (0.72 / 3, 3),
        "ece_ambiguous": (0.3, 1),
        "ece_difference": (0.3 - 0.24, 4),
        # the 20th percentile of .1 .5 .7 .9 .92 is .1 + .8 x .4 = .42: one reply of two is below, and none of three
        "refusal_rate_p20_clear": (0.0, 3),
        "refusal_rate_p20_ambiguous": (0.5, 2),
        "refusal_sensitivity_p20": (0.5, 5),
    }
    assert {name: m[name] for name in expected} == pytest.approx({name: value for name, (value, _) in expected.items()})
    assert {name: m[f"{name}_n"] for name in expected} == {name: n for name, (_, n) in expected.items()}


def test_the_measures_are_those_that_are_named() -> None:
    assert (*MEANS, "ece") == MEASURES


def test_ece_of_an_arm_is_that_of_its_replies_alone_by_either_protocol() -> None:
    rng = np.random.default_rng(1)
    for protocol in ("paper", "official-code"):
        rows = HedgingRows(
            replace(row(f"q{k}", "clear", confidence=float(c), correctness=float(a)), protocol=protocol)
            for k, (c, a) in enumerate(zip(rng.integers(0, 11, 30) / 10, rng.random(30), strict=True))
        )
        assert arm_values(rows, 5)["ece_clear"] == pytest.approx(calibration_values(rows)["ece"])


def test_intervals_of_arms_hold_their_values_and_certain_ones_have_width() -> None:
    found = arm_estimates(ROWS, 200)
    correctness = found["answer_correctness"]["clear"]
    assert 0.3 <= correctness.low <= correctness.value <= correctness.high <= 1.0
    hedges = found["hedge_rate"]["ambiguous"]  # two of two: Wilson's lower bound with n = 2
    z2 = 1.959964**2
    assert (hedges.low, hedges.high) == pytest.approx((2 / (2 + z2), 1.0))


def test_an_arm_that_is_absent_is_undefined_with_an_n_of_0_and_others_are_given_too() -> None:
    m = arm_values(HedgingRows([row("a", "clear"), row("a", "gold", correctness=0.5)]), 5)
    assert math.isnan(m["answer_correctness_ambiguous"])
    assert math.isnan(m["answer_correctness_difference"])
    assert (m["answer_correctness_ambiguous_n"], m["answer_correctness_difference_n"]) == (0, 1)
    assert (m["answer_correctness_gold"], m["answer_correctness_gold_n"]) == (0.5, 1)
    none = arm_values(HedgingRows(), 5)
    assert all(math.isnan(value) or (name.endswith("_n") and value == 0) for name, value in none.items())


def test_hedged_answers_against_plain_ones() -> None:
    m = hedged_against_plain(ROWS, 50)
    # graded answers: hedged .5 and .2, plain 1 and .3
    assert (m["hedged_correctness"], m["plain_correctness"]) == pytest.approx((0.35, 0.65))
    assert m["hedged_correctness_difference"] == pytest.approx(-0.3)
    assert (m["hedged_correctness_n"], m["plain_correctness_n"], m["hedged_correctness_difference_n"]) == (2, 2, 4)
    assert m["hedged_correctness_difference_ci_low"] <= -0.3 <= m["hedged_correctness_difference_ci_high"]
    assert math.isnan(hedged_against_plain(HedgingRows(ROWS[2:3]), 5)["hedged_correctness_difference"])


def test_hedges_per_100_words_are_ratios_of_sums_over_answers() -> None:
    m = at_equal_length(ROWS, 20)
    assert m["hedges_per_100_words_clear"] == pytest.approx(100 * 1 / 60)
    assert m["hedges_per_100_words_ambiguous"] == pytest.approx(100 * 3 / 60)
    assert m["hedges_per_100_words_difference"] == pytest.approx(100 * 2 / 60)
    assert (m["hedges_per_100_words_clear_n"], m["hedges_per_100_words_ambiguous_n"]) == (3, 2)


def test_the_difference_at_equal_length_takes_out_what_longer_replies_hedge_more() -> None:
    # hedges = 1 + 0.1 words + 2 if ambiguous, exactly; ambiguous replies are 30 words longer
    words = {"clear": (10, 20, 30), "ambiguous": (40, 50, 60)}
    rows = HedgingRows(
        row(name, arm, hedges=1 + 0.1 * w + 2 * (arm == "ambiguous"), words=w)
        for arm, lengths in words.items()
        for name, w in zip("abc", lengths, strict=True)
    )
    m = at_equal_length(rows, 20)
    assert m["hedge_difference_at_equal_length"] == pytest.approx(2.0)  # the raw difference is 5
    assert m["hedge_difference_at_equal_length_n"] == 6
    answers = [one for one in ROWS if one.answered]
    h, w = (np.array([one.numbers[name] for one in answers]) for name in ("hedges", "words"))
    a = np.array([one.arm == "ambiguous" for one in answers])
    fit = np.linalg.lstsq(np.column_stack([np.ones(len(h)), a, w]), h, rcond=None)[0]
    assert at_equal_length(ROWS, 5)["hedge_difference_at_equal_length"] == pytest.approx(fit[1])


def test_without_both_arms_or_spread_of_words_there_is_no_difference_at_equal_length() -> None:
    for rows in (ROWS[:3], [replace(one, numbers={**one.numbers, "words": 10.0}) for one in ROWS], ()):
        assert math.isnan(at_equal_length(HedgingRows(rows), 5)["hedge_difference_at_equal_length"])


def test_variance_over_epochs_is_pooled_within_question_and_arm() -> None:
    assert repeat_values(ROWS) == {}
    rows = [
        row("a", "clear", {"epoch": 1}, confidence=0.5, correctness=1.0),
        row("a", "clear", {"epoch": 2}, confidence=0.7, correctness=0.0),
        row("a", "clear", {"epoch": 3}, confidence=NAN, correctness=0.5),
        row("b", "clear", {"epoch": 1}, confidence=0.1, correctness=1.0),
        row("b", "clear", {"epoch": 2}, confidence=0.5, correctness=1.0),
        row("b", "ambiguous", {"epoch": 1}, confidence=0.9),
    ]
    m = repeat_values(HedgingRows(rows))
    assert m["within_question_variance_correctness"] == pytest.approx((0.25 + 0.25 + 0 + 0) / 3)
    assert m["within_question_variance_confidence"] == pytest.approx((2 * 0.01 + 2 * 0.04) / 2)
    assert m["within_question_variance_correctness_n"] == m["within_question_variance_confidence_n"] == 2
    assert m["within_question_variance_refused"] == 0


def test_the_use_of_terms() -> None:
    said = [{"perhaps": 2}, {"perhaps": 1, "may": 1}, {}, {"perhaps": 1}, {"may": 1}, {"perhaps": 1}]
    rows = HedgingRows(replace(one, terms=terms) for one, terms in zip(ROWS, said, strict=True))
    first, second = term_uses(rows)
    assert (first.term, first.replies, first.n) == ("perhaps", 4, 6)
    assert (first.share, first.share_clear, first.share_ambiguous) == pytest.approx((4 / 6, 2 / 3, 2 / 3))
    assert first.difference == pytest.approx(0)
    # graded answers with it: right (1), right (.5), wrong (.2); the last is ungraded
    assert (first.wrong, first.graded_n) == pytest.approx((1 / 3, 3))
    assert (second.term, second.wrong, second.graded_n) == ("may", 0.0, 1)  # the refusal's is not counted
    assert term_uses(ROWS) == []


def test_topics_are_parts_of_the_rows() -> None:
    parts = by_topic(ROWS)
    assert {topic: [one.arm for one in part] for topic, part in parts.items()} == {
        name: ["clear", "ambiguous"] for name in "abc"
    }
    assert by_topic(HedgingRows(replace(one, topic="") for one in ROWS)) == {}


def test_other_arms_are_in_the_table_of_arms_and_in_nothing_else() -> None:
    more = [row("a", "gold", confidence=0.99, hedges=1), row("b", "none", refused=1, correctness=NAN, confidence=0.0)]
    every = HedgingRows([*ROWS, *more])
    assert list(every.published) == list(ROWS)
    assert ROWS.published is ROWS
    m, alone = arm_values(every, 20), arm_values(ROWS, 20)
    assert {name: m[name] for name in alone} == pytest.approx(alone)
    assert (m["answer_correctness_gold"], m["hedge_rate_gold"], m["refusal_rate_none"]) == (1, 1, 1)
    assert (m["refusal_rate_gold"], m["refusal_rate_none_n"], m["answer_correctness_none_n"]) == (0, 1, 0)
    assert m["refusal_rate_p20_none"] == 1  # against the percentile of the two arms
    assert "refusal_rate_clear" not in m
    assert arm_estimates(every, 20)["refusal_rate"]["difference"].value == pytest.approx(1 / 3)


def test_a_difference_of_certain_arms_has_width_and_one_of_equal_grades_has_none() -> None:
    rows = [row(q, arm, hedges=float(arm == "ambiguous"), correctness=0.9 if arm == "clear" else 0.2)
            for q in "abc" for arm in ("clear", "ambiguous")]  # fmt: skip
    m = arm_values(HedgingRows(rows), 50)
    bound = 1.959964**2 / (3 + 1.959964**2)
    assert m["hedge_rate_difference_ci_low"] == pytest.approx(1 - math.sqrt(2) * bound)
    ends = m["answer_correctness_difference_ci_low"], m["answer_correctness_difference_ci_high"]
    assert ends == pytest.approx((-0.7, -0.7))
