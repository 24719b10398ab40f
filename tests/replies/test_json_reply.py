"""What a reply in JSON says."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.json_reply import read_json
from refusalbench_tasks.replies.reading import read_reply


@pytest.mark.parametrize(
    ("value", "gold"),
    [
        ({"answer": 0}, "0"),
        ({"answer": False}, "no"),
        ({"has_text": True, "final_answer": True}, "yes"),
        ({"result": {"answer": "Ada Brook"}}, "Ada Brook"),
        ({"response": {"text": "Ada Brook"}}, "Ada Brook"),
        ({"answer": {"text": "Ada Brook", "confidence": 0.9}}, "Ada Brook"),
        ({"output": {"message": {"content": "Ada Brook"}}}, "Ada Brook"),
        ({"choices": [{"message": {"content": "Ada Brook"}}]}, "Ada Brook"),
        ({"answer": ["Ada Brook", "Lena Dorn"]}, "Ada Brook, Lena Dorn"),
        ({"answer": "Ada Brook", "reason": "line 2 names her", "error": None}, "Ada Brook"),
        ([{"answer": 412}], "412"),
    ],
)
def test_the_answer_is_found_in_fields_of_any_type_and_in_objects_within(value: Any, gold: str) -> None:
    read = read_reply(json.dumps(value), question="Who or what?", gold=[gold])
    assert (read.kind, read.right) == ("answer", True)


@pytest.mark.parametrize(
    "value",
    [
        {"answer": None},
        {"answer": "  "},
        {"answer": [], "reason": "nothing on it"},
        {"response": {"text": None}},
        {"refused": True, "reason": "no source"},
        {"answer": "", "error": None},
    ],
)
def test_fields_that_say_that_there_is_no_answer_refuse(value: Any) -> None:
    read = read_reply(json.dumps(value))
    assert (read.kind, read.code) == ("refusal", None)


@pytest.mark.parametrize(
    "value",
    [
        {"answer": {}},
        {"answer": {"year": 1923}},
        {"data": {"rows": [[1], [2]]}},
        {"answer": "Ada Brook", "result": "Lena Dorn"},
        {"error": {"code": 429}},
        {"answer": {"answer": {"answer": {"answer": {"answer": "too deep"}}}}},
    ],
)
def test_what_cannot_be_read_is_undecided(value: Any) -> None:
    assert read_reply(json.dumps(value)).kind == "undecided"


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_KEYS = st.sampled_from(["answer", "text", "reason", "error", "choices", "refused", "x"])


@given(st.recursive(_LEAVES, lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner), max_leaves=8))
def test_it_never_raises(value: Any) -> None:
    read_json(json.dumps(value))
    assert read_json(json.dumps(value) + " and more") is None
