"""The table of replies to BLUFF-1000."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import Score

from refusalbench_tasks.metrics.hedging_table import (
    hedging_row,
    hedging_table,
    missing_confidences,
)
from tests.metrics.bluff_table import reply, table

FACTS = {"source_id": "law_001", "arm": "clear", "topic": "law"}


def scored(
    value: dict[str, float] | None = None, reason: str | None = None, **notes: Any
) -> Score:
    return Score(value=value or {}, reason=reason, metadata=notes)


def test_numbers_and_notes_of_a_score_stand_in_their_columns() -> None:
    score = scored(
        {"refused": 0.0, "hedges": 2.0},
        epoch=3,
        quality=0.8,
        protocol="official-code",
        cluster="row",
        confidence={"missing": "low_mass", "mass": 0.2},
        decisiveness=None,
        terms={"may": 2},
        word_lists={"hedges": "mine.yaml", "hedges_sha256": "abcdef0123"},
    )
    (row,) = hedging_table([hedging_row(FACTS, score)]).to_dict("records")
    assert (
        row["refused"],
        row["hedges"],
        row["epoch"],
        row["quality"],
        row["terms"],
    ) == (0, 2, 3, 0.8, {"may": 2})
    assert (row["protocol"], row["cluster_by"], row["confidence_missing"]) == (
        "official-code",
        "row",
        "low_mass",
    )
    assert row["lexicon"] == "mine.yaml (abcdef01)"
    assert row["wording_judged"]
    assert math.isnan(row["decisiveness"])


def test_rows_of_one_question_share_it_and_others_are_their_own() -> None:
    assert hedging_row(FACTS, scored())["cluster"] == "law_001"
    assert hedging_row(FACTS | {"question_id": "q7"}, scored())["cluster"] == "q7"


def warning_of(*reasons: str, n: int = 20) -> str | None:
    rows = [
        reply(f"q{k}", "clear", confidence_missing=dict(enumerate(reasons)).get(k, ""))
        for k in range(n)
    ]
    return missing_confidences(table(*rows))


def test_more_than_a_tenth_is_named_with_its_reasons() -> None:
    told = "3 of 20 replies have no confidence (low mass 2, no logprobs 1)."
    assert warning_of("no_logprobs", "low_mass", "low_mass", "not_asked") == told


@pytest.mark.parametrize("reasons", [(), ("low_mass",) * 2, ("not_asked",) * 20])
def test_a_tenth_or_what_was_not_asked_is_not(reasons: tuple[str, ...]) -> None:
    assert warning_of(*reasons) is None
