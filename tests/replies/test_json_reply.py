"""What a reply in JSON says."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.json_reply import read_json
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.taxonomy import Label


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
        ({"answer": ["Ada Brook", "Lena Dorn"]}, "Ada Brook, Lena Dorn"),
        (
            {"answer": "Ada Brook", "reason": "line 2 names her", "error": None},
            "Ada Brook",
        ),
        ([{"answer": 412}], "412"),
    ],
)
def test_the_answer_is_found_in_fields_of_any_type_and_in_objects_within(
    value: Any, gold: str
) -> None:
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
        {"sufficient_context": "no"},
        {"supported": "No.", "claim": "The mill opened in 1923."},
        {"found": "yes"},
    ],
)
def test_what_cannot_be_read_is_undecided(value: Any) -> None:
    assert read_reply(json.dumps(value)).kind == "undecided"


@pytest.mark.parametrize(
    "value",
    [
        {"answerable": "no"},
        {"found": "no"},
        {"can_answer": "no"},
        {"has_answer": 0},
        {"refused": "true"},
    ],
)
def test_a_flag_that_is_a_word_or_a_number_is_the_boolean_it_stands_for(
    value: Any,
) -> None:
    assert read_reply(json.dumps(value)).kind == "refusal"
    answered = value | {"answer": "1911"}
    assert read_reply(json.dumps(answered), gold=["1911"]).kind == "undecided"


@pytest.mark.parametrize(
    "reply",
    [
        '{"Answer": "1911", "answer": null}',
        '{"answer": null, "answer": "1911"}',
        '{"result": {"text": "1911", "TEXT": "1912"}}',
    ],
)
def test_a_key_that_stands_twice_is_undecided(reply: str) -> None:
    assert read_reply(reply, gold=["1911"]).kind == "undecided"


def test_a_code_in_its_field_is_that_code_with_a_reason_beside_it() -> None:
    reply = '{"code": "REFUSE_OTHER", "reason": "The passages do not say."}'
    assert read_reply(reply).code is Label.OTHER


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_KEYS = st.sampled_from(
    ["answer", "text", "reason", "error", "choices", "refused", "x"]
)


@given(
    st.recursive(
        _LEAVES,
        lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner),
        max_leaves=8,
    )
)
def test_it_never_raises(value: Any) -> None:
    read_json(json.dumps(value))
    assert read_json(json.dumps(value) + " and more") is None
