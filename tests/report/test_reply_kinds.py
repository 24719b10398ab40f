"""What kind of reply each is, in words."""

import math

from refusalbench_tasks.report.reply_kinds import (
    COLOURS,
    PATTERNS,
    WORTH,
    hedging_kinds,
    meanings,
    reply_kinds,
)
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.metrics.bluff_table import NAN, REFUSAL, reply, table
from tests.results.synthetic import row, run

LOW = Intensity.LOW


def test_replies_of_nq_are_of_a_kind_that_has_a_colour_or_are_unscored() -> None:
    samples = [
        row("a", Label.ANSWER, intensity=LOW),
        row("b", Label.OTHER, intensity=LOW),
        row("c", Label.ANSWER),
        row("d", Label.MISSING),
        row("e", Label.OTHER),
        row("f", None, reason="truncated"),
        row("g", None),
    ]
    *kinds, unscored = reply_kinds(run(samples).replies)
    assert kinds == [
        "answered right",
        "declined wrongly",
        "made up",
        "declined, right code",
        "declined, wrong code",
        "no reply",
    ]
    assert set(kinds) <= set(COLOURS)
    assert unscored == "undecided"
    uncoded = run(samples[3:5]).replies.assign(codes=False, right=1.0)
    assert set(reply_kinds(uncoded)) == {"declined rightly"}


def test_replies_of_bluff_are_refusals_or_answers_by_their_grade() -> None:
    rows = table(
        reply("a", "clear"),
        reply("b", "clear", correctness=0.2),
        reply("c", "clear", correctness=NAN),
        reply("d", "clear", **REFUSAL),
        reply("e", "clear", "truncated"),
        reply("f", "clear", "grader_failed"),
    )
    assert list(hedging_kinds(rows)) == [
        "answered right",
        "answered wrong",
        "answered, ungraded",
        "declined",
        "no reply",
        "undecided",
    ]


def test_no_two_kinds_of_replies_share_a_colour() -> None:
    assert len({*COLOURS.values()}) == len(COLOURS)


def test_what_nobody_knows_has_patterns_of_its_own_and_no_reply_is_plain() -> None:
    assert len(set(PATTERNS.values())) == len(PATTERNS)
    assert {kind for kind, worth in WORTH.items() if math.isnan(worth)} < set(PATTERNS)
    assert list(WORTH) == list(COLOURS)
    assert "no reply" not in PATTERNS


def test_a_caption_says_what_those_kinds_mean_that_are_drawn() -> None:
    assert meanings(["answered right", "made up"]) == "; made up: a missed refusal"
