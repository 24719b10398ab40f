"""What numbers on the surface tell of labels: worked by hand."""

from math import isnan
from typing import Any

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.rows import rows
from refusalbench_tasks.worlds.tells import Tells, auc, distance


def test_the_area_is_the_share_of_pairs_won_with_ties_for_half() -> None:
    # 1, 2, 2 against 2, 3: of six pairs none is won and two are ties
    assert auc({1: 1, 2: 2}, {2: 1, 3: 1}) == pytest.approx(1 / 6)
    assert auc({2: 1, 3: 1}, {1: 1, 2: 2}) == pytest.approx(5 / 6)
    assert isnan(auc({}, {1: 1}))


def test_the_distance_is_the_largest_gap_of_shares() -> None:
    # up to 1: 1/3 against 0; up to 2: 3/3 against 1/2
    assert distance({1: 1, 2: 2}, {2: 1, 3: 1}) == pytest.approx(1 / 2)
    assert isnan(distance({1: 1}, {}))


def test_questions_and_passages_of_quads_tell_nothing_and_a_longer_passage_does() -> None:
    tells, longer = Tells(), Tells()
    for row in rows(3, 0, 96):
        tells.take(row)
        longer.take(_longer(row) if row["expected_rag_behavior"] == Label.MISSING else row)
    head, _, *lines = tells.table()
    assert head.split(" | ")[:2] == ["| feature", "answerable"]
    assert {line.split(" | ")[1] for line in lines if not line.startswith("| first name") and line} == {"0.50 (0.00)"}
    place = head.split(" | ").index("INFO_MISSING_IN_CONTEXT")
    words = next(line for line in longer.table() if line.startswith("| passage words"))
    assert words.split(" | ")[place] == "1.00 (1.00)"


def _longer(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "perturbed_context": row["perturbed_context"] + " Indeed." * 300}


def test_ten_passages_are_not_counted() -> None:
    tells = Tells()
    tells.take({"intrinsic": False, "grounding": [], "expected_rag_behavior": Label.ANSWER.value})
    assert tells.table() == []
