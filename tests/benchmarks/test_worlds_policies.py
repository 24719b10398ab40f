"""The page's table of what policies earn: it is what the reward pays them."""

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worlds_policies import (
    KNOWN_CODES,
    SETTINGS,
    always_answers,
    always_refuses,
    looking_pays_from,
    looks,
    table,
)
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.quad_rows import quad_rows
from refusalbench_tasks.worlds.reward import DEFAULT_PAYOFFS, Payoffs, reward

PAGE = Path(__file__).parents[2] / "docs" / "worlds.md"
BEST_CLASS_READER = 0.35


@cache
def rows() -> list[dict[str, Any]]:
    return list(quad_rows(74, 0, 400))


def mean(payoffs: Payoffs, replies: Sequence[str]) -> float:
    pairs = zip(rows(), replies, strict=True)
    return sum(reward(item, reply, payoffs) for item, reply in pairs) / len(rows())


def answers() -> list[str]:
    return [str(item["original_answers"][0]) for item in rows()]


def codes(known: float) -> list[str]:
    """Return a code for each row, of which a share is right where the row has one."""
    replies = []
    knows = cycle(position < known * 20 for position in range(20))
    for item in rows():
        due = item["expected_rag_behavior"]
        is_right = due != Label.ANSWER and next(knows)
        replies.append(str(due) if is_right else "REFUSE_OTHER")
    return replies


def test_the_page_has_the_table() -> None:
    assert table() in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(SETTINGS))
def test_the_reward_pays_policies_what_the_table_says(name: str) -> None:
    payoffs = SETTINGS[name]
    assert mean(payoffs, answers()) == pytest.approx(always_answers(payoffs))
    plain = ["I don't know."] * len(rows())
    assert mean(payoffs, plain) == pytest.approx(always_refuses(payoffs, 0))
    for known in (0.35, 1.0):
        expected = always_refuses(payoffs, known)
        assert mean(payoffs, codes(known)) == pytest.approx(expected)


@pytest.mark.parametrize("name", list(SETTINGS))
@pytest.mark.parametrize("code", KNOWN_CODES)
def test_looking_pays_from_where_it_earns_as_much_as_the_best_constant(
    name: str, code: float
) -> None:
    payoffs = SETTINGS[name]
    best = max(always_answers(payoffs), always_refuses(payoffs, code))
    share = looking_pays_from(payoffs, code)
    assert 0.5 <= share < 1
    assert looks(payoffs, share, code) == pytest.approx(best)
    assert looks(payoffs, share + 0.05, code) > best


def test_who_looks_is_paid_as_the_formula_says() -> None:
    due = [str(item["expected_rag_behavior"]) for item in rows()]
    pairs = zip(due, answers(), strict=True)
    right = [gold if label == Label.ANSWER else label for label, gold in pairs]
    assert mean(DEFAULT_PAYOFFS, right) == looks(DEFAULT_PAYOFFS, 1, 1) == 1


def test_no_policy_without_looking_earns_anything_by_default() -> None:
    constant = [
        "I don't know.",
        "Which of the two do you mean?",
        "yes",
        "The document is about something else entirely.",
        "",
        *(label.value for label in Label if label is not Label.ANSWER),
    ]
    for reply in constant:
        assert mean(DEFAULT_PAYOFFS, [reply] * len(rows())) <= 0.05
    assert mean(DEFAULT_PAYOFFS, answers()) <= 0.05
    assert mean(DEFAULT_PAYOFFS, codes(BEST_CLASS_READER)) <= 0.05
