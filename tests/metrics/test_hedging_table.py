"""The table of replies to BLUFF-1000."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.metrics.hedging_table import BLANK, hedging_row, hedging_table, of_scores

FACTS = {"source_id": "law_001", "arm": "clear", "topic": "law"}


def scored(value: dict[str, float] | None = None, reason: str | None = None, **notes: Any) -> Score:
    return Score(value=value or {}, reason=reason, metadata=notes)


def test_a_table_without_rows_has_every_column_in_its_kind() -> None:
    table = hedging_table([])
    assert [*table] == [*BLANK]
    kinds = {name: table[name].dtype.kind for name in ("item", "epoch", "confidence", "unscored", "terms")}
    assert kinds == {"item": "O", "epoch": "i", "confidence": "f", "unscored": "b", "terms": "O"}


def test_a_row_has_every_column_and_what_is_unknown_is_nan_or_blank() -> None:
    row = hedging_row(FACTS, scored())
    assert set(row) == set(BLANK)
    assert math.isnan(row["correctness"])
    assert (row["named"], row["graders"], row["epoch"]) == ("", (), 1)


def test_numbers_and_notes_of_a_score_stand_in_their_columns() -> None:
    score = scored(
        {"refused": 0.0, "hedges": 2.0}, epoch=3, quality=0.8, protocol="official-code", cluster="row",
        confidence={"missing": "low_mass", "mass": 0.2, "orders": [0.9, 0.6]}, decisiveness=None, terms={"may": 2},
        word_lists={"hedges": "mine.yaml", "hedges_sha256": "abcdef0123"},
    )  # fmt: skip
    (row,) = hedging_table([hedging_row(FACTS, score)]).to_dict("records")
    assert (row["refused"], row["hedges"], row["epoch"], row["quality"], row["terms"]) == (0, 2, 3, 0.8, {"may": 2})
    assert (row["protocol"], row["cluster_by"], row["confidence_missing"]) == ("official-code", "row", "low_mass")
    assert row["position_bias"] == pytest.approx(0.3)
    assert row["lexicon"] == "mine.yaml (abcdef01)"
    assert row["wording_judged"]
    assert math.isnan(row["decisiveness"])


def test_rows_of_one_question_share_it_and_others_are_their_own() -> None:
    assert hedging_row(FACTS, scored())["cluster"] == "law_001"
    assert hedging_row(FACTS | {"question_id": "q7"}, scored())["cluster"] == "q7"


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        (None, "decided"),
        ("no_response", "no_reply"),
        ("truncated", "no_reply"),
        ("provider_refusal", "no_reply"),
        ("grader_failed", "unscored"),
        ("undecided_offline", "unscored"),
        ("not_in_file", "unscored"),
    ],
)
def test_what_the_model_failed_to_say_is_told_from_what_was_not_measured(reason: str | None, outcome: str) -> None:
    row = hedging_row(FACTS, scored(reason=reason))
    assert (row["outcome"], row["unscored"]) == (outcome, outcome == "unscored")


def test_scores_of_inspect_are_a_row_each_and_further_columns_stay() -> None:
    table = of_scores([SampleScore(score=scored(epoch=k), sample_metadata=FACTS) for k in (1, 2)])
    assert table["epoch"].tolist() == [1, 2]
    more = hedging_table([hedging_row(FACTS, scored()) | {"model": "m"}])
    assert [*more][: len(BLANK)] == [*BLANK]
    assert more["model"].tolist() == ["m"]


def test_a_row_without_a_score_is_blank_where_a_score_would_tell() -> None:
    (row,) = hedging_table([{"item": "law_001", "arm": "clear", "outcome": "error"}]).to_dict("records")
    assert (row["unscored"], row["self_graded"], row["topic"], row["terms"]) == (False, False, "", {})
    assert math.isnan(row["refused"])


def test_a_row_of_another_task_is_an_error() -> None:
    with pytest.raises(KeyError):
        hedging_row({"expected": "ANSWER_CORRECTLY"}, scored())
