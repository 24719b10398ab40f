"""What each protocol takes from a reply to BLUFF-1000, and what is not known."""

import math

import pytest

from refusalbench_tasks.metrics.hedging import hedging_values
from tests.metrics.bluff_table import (
    ARMS,
    NAN,
    REFUSAL,
    ROWS,
    reply,
    table,
    told,
)


def test_a_phrase_in_the_explanation_leaves_hedging_and_index_alone() -> None:
    found = hedging_values(table(*ROWS, protocol="official-code"), 50)
    # left: a clear (hedged, wrong), a ambiguous (hedged, right), b clear (plain,
    # wrong), c clear (plain, right)
    expected = {
        "vui": (0.5, 4),
        "hedge_precision": (0.5, 2),
        "hedge_recall": (0.5, 2),
        "hedge_base_rate": (0.5, 4),
        "hedge_lift": (1.0, 4),
        "vui_of_always_hedging": (4 / 6, 4),
        "refusal_count": (1, 6),
        "refusal_sensitivity": (1 / 3, 6),
        "missed_refusals": (2, 5),
        "answer_correctness": ((0.2 + 0.9 + 0.1 + 0.0 + 0.8 + 0.4) / 6, 6),
        "source_set_on_hedging": (11 / 3 - 1 / 3, 6),
    }
    assert told(found, *expected) == {
        name: pytest.approx(pair) for name, pair in expected.items()
    }
    assert found["asi"].n == 1


def test_the_released_bins_hold_no_confidence_of_1_and_refusals_are_credited() -> None:
    rows = (
        reply("a", "clear", confidence=1.0, correctness=0.5),
        reply("a", "ambiguous", confidence=0.35, correctness=0.85),
        reply("b", "clear", confidence=0.6, **REFUSAL),
    )
    found = hedging_values(table(*rows, protocol="official-code"), 10)
    # .35 beside .85, .6 beside the credit of .4
    assert found["ece"].value == pytest.approx((0.5 + 0.2) / 3)
    assert found["brier"].value == pytest.approx((0.25 + 0.25 + 0.04) / 3)


@pytest.mark.parametrize("reason", ["no_response", "truncated", "provider_refusal"])
def test_a_reply_that_was_not_given_is_neither_a_refusal_nor_right(
    reason: str,
) -> None:
    rows = (*ROWS, reply("d", "clear", reason), reply("d", "ambiguous", reason))
    found = hedging_values(table(*rows), 50)
    assert told(
        found,
        "answer_correctness",
        "refusal_rate",
        "no_reply_rate",
        "vui",
        "hedge_precision",
    ) == {
        "answer_correctness": pytest.approx((2.0 / 7, 7)),
        "refusal_rate": pytest.approx((1 / 8, 8)),
        "no_reply_rate": pytest.approx((2 / 8, 8)),
        "vui": (0.5, 4),  # what was not said hedges nothing
        "hedge_precision": (0.5, 2),
    }
    only = hedging_values(
        table(reply("d", "clear", reason), reply("d", "ambiguous", reason)), 10
    )
    assert told(only, "answer_correctness", "refusal_rate") == {
        "answer_correctness": (0, 2),
        "refusal_rate": (0, 2),
    }


def test_what_was_not_measured_is_in_no_denominator_but_its_own() -> None:
    failed = reply(
        "d", "clear", "grader_failed", confidence=0.9, hedges=3.0, words=10.0
    )
    found = hedging_values(table(*ROWS, failed), 10)
    before = hedging_values(table(*ROWS), 10)
    for name in ("answer_correctness", "refusal_rate", "vui", "ece"):
        assert told(found, name) == told(before, name)
    assert told(found, "unscored_rate", "no_reply_rate") == {
        "unscored_rate": (1 / 7, 7),
        "no_reply_rate": (0, 7),
    }


def test_an_undecided_reply_is_a_reply_and_a_missing_recording_is_none() -> None:
    others = (
        reply("d", "clear", "grader_failed"),
        reply("d", "ambiguous", "no_response"),
        reply("e", "clear", "not_in_file"),
    )
    found = hedging_values(table(*ROWS, *others), 10)
    assert told(found, "no_reply_rate") == {"no_reply_rate": (1 / 8, 8)}


def test_refusals_are_of_the_decided_replies_where_these_are_at_least_half() -> None:
    offline = (
        reply("d", "clear", "undecided_offline"),
        reply("d", "ambiguous", "truncated"),
    )
    found = hedging_values(table(*ROWS, *offline), 10)
    without = hedging_values(table(*ROWS, offline[1]), 10)
    for name in ("refusal_rate", "refusal_rate_clear"):
        assert found[name].known
        assert (found[name].value, found[name].n) == (
            without[name].value,
            without[name].n,
        )


def test_refusals_are_unknown_where_most_replies_could_not_be_read() -> None:
    offline = [
        reply(item, arm, "undecided_offline")
        for item in ("d", "e", "f", "g", "h")
        for arm in ARMS
    ]
    rows = [row | {"correctness": NAN} for row in ROWS]
    found = hedging_values(table(*rows, *offline), 10)
    for name in (
        "refusal_count",
        "refusal_rate",
        "refusal_rate_clear",
        "refusal_sensitivity",
        "answer_correctness",
    ):
        assert (math.isnan(found[name].value), found[name].n) == (True, 0), name


@pytest.mark.parametrize(
    ("protocol", "undefined"), [("paper", NAN), ("official-code", 0.0)]
)
def test_released_zeros_stand_where_something_was_graded_or_all_refused(
    protocol: str, undefined: float
) -> None:
    names = ("vui", "hedge_precision", "hedge_recall", "lexical_overconfidence")
    right = [reply("a", arm) for arm in ARMS]
    refused = [reply("a", arm, **REFUSAL) for arm in ARMS]
    for rows in (right, refused):
        found = hedging_values(table(*rows, protocol=protocol), 10)
        assert [found[name].value for name in names] == pytest.approx(
            [undefined] * 4, nan_ok=True
        )
    ungraded = [
        reply("a", arm, correctness=NAN, hedges=1.0, judge="offline") for arm in ARMS
    ]
    phrases = [row | {"judge": "offline"} for row in refused]
    for rows in (ungraded, phrases, [reply("a", "clear", "grader_failed")], []):
        found = hedging_values(table(*rows, protocol=protocol), 10)
        assert all(math.isnan(found[name].value) for name in names)
