"""The rules on 1,330 labelled candidates that were written without sight of them.

Each has a base, a candidate, a verdict ("good" or "bad"), why, and `mechanical`: whether code that does not understand
the world could know. Ids from 1001 are of a second set, mostly odd forms of answers, and those from 2001 of a third,
which is meant to be hard and calls all of its cases mechanical. Those from 14001 are of a fourth, those from 15001 of
a fifth, those from 16001 of a sixth, those from 17001 of a seventh, those from 18001 of an eighth and those from 19001
of a ninth, on which the rules were measured before they were known. `docs/rules.md` has the figures of the first
measurements; those here are of today.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.checks import RULES, check
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label
from tests.generators.test_hurried_mistakes import QUESTIONS, TEXTS

# what a rule says of a case is found once for both files that ask it
ROWS = [json.loads(line) for line in Path(__file__).with_name("rule_cases.jsonl").read_text("utf-8").splitlines()]
FIRST = [row for row in ROWS if row["id"] <= 1000]
SECOND = [row for row in ROWS if 1000 < row["id"] <= 2000]
THIRD = [row for row in ROWS if 2000 < row["id"] <= 14_000]
FOURTH = [row for row in ROWS if 14_000 < row["id"] <= 15_000]
FIFTH = [row for row in ROWS if 15_000 < row["id"] <= 16_000]
SIXTH = [row for row in ROWS if 16_000 < row["id"] <= 17_000]
SEVENTH = [row for row in ROWS if 17_000 < row["id"] <= 18_000]
EIGHTH = [row for row in ROWS if 18_000 < row["id"] <= 19_000]
NINTH = [row for row in ROWS if row["id"] > 19_000]
LEVERS = {lever.name: lever for lever in bundled_levers()}
BY_ID = {row["id"]: row for row in ROWS}
SETS = [
    pytest.param(rows, id=f"from-{rows[0]['id']}")
    for rows in (FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, NINTH)
]


@cache
def broken(number: int) -> frozenset[str]:
    """Return the rules that a case breaks."""
    row = BY_ID[number]
    base = RefusalItem.model_validate(
        row["base"] | {"item_id": "b", "source_id": "b", "expected": Label.ANSWER},
    )
    lever = LEVERS[row["lever"]]
    slot = Slot(base=base, perturbation=lever.perturbation, intensity=lever.intensity, lever=lever.name)
    made = Candidate(**row["candidate"], lever=lever.name, reasoning="")
    return frozenset(check(slot, made, [lever]))


def outcomes(rows: list[dict[str, Any]]) -> Counter[tuple[str, bool, bool]]:
    """Return how many there are by verdict, whether code could know, and whether a rule is broken."""
    return Counter((row["verdict"], bool(row["mechanical"]), bool(broken(row["id"]))) for row in rows)


def test_the_first_set_is_decided_right_but_for_one_that_takes_understanding() -> None:
    counts = outcomes(FIRST)
    assert sum(counts.values()) == 180
    rejected = sum(n for (verdict, _, bad), n in counts.items() if verdict == "good" and bad)
    accepted = sum(n for (verdict, known, bad), n in counts.items() if verdict == "bad" and known and not bad)
    # goals: at most 2 % of 110 good ones, at most 5 % of 64 bad ones that code could know
    assert (rejected, accepted) == (0, 0)
    assert counts["bad", False, False] == 1


def test_the_second_set_is_decided_right() -> None:
    counts = outcomes(SECOND)
    assert sum(counts.values()) == 70
    assert counts["good", True, True] == counts["good", False, True] == 0
    assert counts["bad", True, False] == counts["bad", False, False] == 0


def test_of_the_third_set_no_good_one_is_rejected_and_what_takes_understanding_goes_on_to_the_verifiers() -> None:
    counts = outcomes(THIRD)
    assert sum(counts.values()) == 120
    assert counts["good", True, True] == counts["good", False, True] == 0
    assert counts["bad", True, False] + counts["bad", False, False] == 2


def test_the_fourth_set_was_not_known_and_is_decided_as_it_was_measured_or_better() -> None:
    counts = outcomes(FOURTH)
    assert sum(counts.values()) == 160
    # measured before any mending: 1 of 80 good ones rejected; accepted 4 of 52 bad ones that code could know, and 26 of
    # 28 that take understanding; these were mended since, so what is left of them tells nothing of new texts
    assert counts["good", True, True] + counts["good", False, True] == 0
    assert counts["bad", True, False] == 0
    assert counts["bad", False, False] <= 24


def test_the_fifth_set_was_not_known_and_is_decided_as_it_was_measured_or_better() -> None:
    counts = outcomes(FIFTH)
    assert sum(counts.values()) == 120
    # measured before any mending: 4 of 70 good ones rejected, and 20 of 50 bad ones accepted, of which code could know
    # all; all but three of these were mended since
    assert counts["good", True, True] == 0
    assert counts["bad", True, False] <= 3


def test_the_sixth_set_was_not_known_and_is_decided_as_it_was_measured_or_better() -> None:
    counts = outcomes(SIXTH)
    assert sum(counts.values()) == 160
    # measured before any mending: 3 of 100 good ones, 8 of 60 bad ones; what was mended since was written without sight
    # of these cases
    assert counts["good", True, True] + counts["good", False, True] <= 2
    assert counts["bad", True, False] <= 7


def test_the_seventh_set_was_not_known_and_is_decided_as_it_was_measured_or_better() -> None:
    counts = outcomes(SEVENTH)
    assert sum(counts.values()) == 140
    # measured with the rules that knew none of it: 1 of 70 good ones, 15 of 70 bad ones. It came in four blocks of 35,
    # each measured before it was looked at and mended after: 0, 0, 0 and 1 good ones, 4, 1, 4 and 1 bad ones
    assert counts["good", True, True] + counts["good", False, True] == 0
    assert counts["bad", True, False] == 0


def test_the_eighth_set_was_not_known_and_is_decided_as_it_was_measured_or_better() -> None:
    counts = outcomes(EIGHTH)
    assert sum(counts.values()) == 200
    # measured once, before any mending: 4 of 110 good ones rejected, 8 of 90 bad ones accepted, of which code could
    # know all; a second reader who did not see the verdicts agreed with all 200. All twelve were mended since
    assert counts["good", True, True] + counts["good", False, True] == 0
    assert counts["bad", True, False] == 0


def test_the_ninth_set_was_not_known_and_is_decided_as_it_was_measured_or_better() -> None:
    counts = outcomes(NINTH)
    assert sum(counts.values()) == 180
    # measured once, and nothing was mended after it: 100 good ones, 80 bad ones of which code could know all; second
    # readers who did not see the verdicts agreed with all 180
    assert counts["good", True, True] + counts["good", False, True] <= 4
    assert counts["bad", True, False] <= 6


@pytest.mark.parametrize("rows", SETS)
def test_each_case_says_what_it_is(rows: list[dict[str, Any]]) -> None:
    """All cases of a set in one test: a test of its own for each takes longer than the rules."""
    for row in rows:
        lever = LEVERS[row["lever"]]
        name = f"{row['id']}-{row['lever']}"
        assert (lever.perturbation, lever.intensity) == (row["class"], row["intensity"]), name
        assert row["multi"] is (len(row["base"]["passages"]) > 1), name
        assert row["why"], name
        assert broken(row["id"]) <= set(RULES), name


def test_every_rule_but_a_few_decides_a_case() -> None:
    used = frozenset().union(*(broken(row["id"]) for row in ROWS))
    form = {"wrong_lever", "label_in_text", "passages_only_reworded"}
    others = form | {"other_thing_asked", "question_drifted", "unknown_name", "answer_disputed"}
    # these have probes in `test_unseen_kinds`
    others |= {"language_changed", "question_in_passage"}
    # those of hurried mistakes have probes of their own
    assert set(RULES) - used <= others | {rule for *_, rule in (*TEXTS, *QUESTIONS)}
