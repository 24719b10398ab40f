"""Rows that are read one by one are those of each sample, whether or not many are alike."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.refusal_rows import RefusalRows, refusal_row
from refusalbench_tasks.results.logs import growing_rows
from refusalbench_tasks.results.logs.growing_rows import GrowingKinds, GrowingRows

ODD = st.sampled_from([None, True, False, 0, 1, 1.0, "", "x"])


def sample(k: int, **changes: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "source_id": f"s{k // 2}", "item_id": f"i{k}", "expected": "ANSWER_CORRECTLY", "perturbation": "P-MissingInfo",
        "intensity": "LOW", "knobs": {"depth": k % 2}, "accepted_alternatives": [],
    }  # fmt: skip
    value: dict[str, Any] = {"right": 1.0, "unscored": 0.0, "grade": math.nan}
    notes: dict[str, Any] = {"decided_by": "judge", "graders": ["g"], "epoch": k % 3 + 1}
    for name, changed in changes.items():
        part = value if name in value else metadata if name in ("control", "intrinsic") else notes
        part[name] = changed
    score = {"value": value, "answer": "ANSWER_CORRECTLY", "metadata": notes}
    return {"id": f"i{k}", "epoch": k % 3 + 1, "metadata": metadata, "scores": {"refusal_scores": score}}


def both(samples: list[dict[str, Any]]) -> tuple[RefusalRows, list[Any]]:
    alike, plain = GrowingKinds("refusal_scores"), GrowingRows("refusal_scores", refusal_row)
    for one in samples:
        assert alike.add(one["id"], one) == plain.add(one["id"], one)
    return alike.rows(), list(plain.rows())


@given(st.lists(st.fixed_dictionaries({}, optional={
    "control": ODD, "codes": ODD, "gold_retrieved": ODD, "retrieved_k": ODD, "self_graded": ODD, "intrinsic": ODD,
    "right": st.sampled_from([None, 0.0, 1.0, 1, math.nan]), "grade": st.sampled_from([None, math.inf, math.nan, 4.0]),
}), max_size=12))  # fmt: skip
def test_they_are_the_rows_of_each_sample(changes: list[dict[str, Any]]) -> None:
    found, due = both([sample(k, **one) for k, one in enumerate(changes)])
    # NaN equals nothing, so what is written of both is compared
    assert list(map(repr, found)) == list(map(repr, due))
    one_by_one = RefusalRows(due)
    assert found.units() == one_by_one.units()
    assert found.unit_places().tolist() == one_by_one.unit_places().tolist()
    assert found.epochs == one_by_one.epochs
    assert found.unit_places("row").tolist() == one_by_one.unit_places("row").tolist()
    assert found.questions == one_by_one.questions
    assert found.counts.tolist() == one_by_one.counts.tolist()
    part = found.decided & found.right
    assert found.where(part).unit_sums().tolist() == one_by_one.where(part).unit_sums().tolist()


def test_rows_that_differ_in_their_names_alone_are_of_one_kind() -> None:
    found, _ = both([sample(k) for k in range(8)])
    assert (len(found), len(found.kinds)) == (8, 2)  # by the knob
    assert found[5].facts.item == "i5"
    assert (found[5].facts.source, found[5].outcome.cluster) == ("s2", "s2")
    assert found.items[3] == "i3"
    assert found.epochs == [1, 2, 3, 1, 2, 3, 1, 2]
    assert found.at(found.mask(lambda row: row.facts.knobs["depth"])).epochs == [2, 1, 3, 2]


def test_the_id_of_a_sample_is_not_held_twice() -> None:
    growing, name = GrowingKinds("refusal_scores"), "".join(["i", "7"])
    growing.add(name, sample(7))
    assert growing.rows().items[0] is name


def test_a_sample_without_the_score_is_none() -> None:
    growing = GrowingKinds("refusal_scores")
    assert not growing.add("a", {"id": "a", "scores": {}})
    assert not growing.add("a", {"id": "a", "scores": {"refusal_scores": {"value": None}}})
    assert len(growing.rows()) == 0
    with pytest.raises(KeyError):
        growing.add("a", {"id": "a", "metadata": {}, "scores": {"refusal_scores": {"value": {"right": 1.0}}}})


def test_kinds_beyond_those_that_are_remembered_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_rows, "_MOST", 1)
    found, due = both([sample(k) for k in range(6)])
    assert list(map(repr, found)) == list(map(repr, due))
    assert len(found.kinds) == 4  # the first is found again, the other one never


def test_without_msgspec_rows_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "msgspec.msgpack", None)
    found, due = both([sample(k) for k in range(4)])
    assert list(map(repr, found)) == list(map(repr, due))
