"""JSON of which only some members are read."""

import json
import math
import sys
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.files.narrow_json import Members, narrow_parser, without_nan

narrow = pytest.mark.skipif(find_spec("msgspec") is None, reason="msgspec is not installed")
WANTED: Members = {"id": None, "facts": {"a": None, "more": {"b": None}}}
texts = st.text() | st.sampled_from(['":NaN', 'x":NaN', ":NaN,", "\\", '"', "NaN"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def only(value: Any, members: Members) -> Any:
    return {
        name: value[name] if inner is None or value[name] is None else only(value[name], inner)
        for name, inner in members.items()
        if name in value
    }


@narrow
@settings(max_examples=40)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "id": values,
                "other": values,
                "facts": st.none()
                | st.fixed_dictionaries({}, optional={"a": values, "c": values, "more": st.just({"b": 1, "c": 2})}),
            },
        ),
        max_size=4,
    ),
    st.booleans(),
)
def test_it_gives_the_wanted_members_and_no_other(rows: list[Any], ascii_only: bool) -> None:
    text = json.dumps(rows, separators=(",", ":"), ensure_ascii=ascii_only)
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        return
    assert narrow_parser(WANTED)(raw) == [only(row, WANTED) for row in rows]


@narrow
def test_nan_is_none_where_it_is_a_value_and_text_stays() -> None:
    said = [{"id": 'he said "x":NaN, then left', "facts": {"a": float("nan"), "more": None}}]
    raw = json.dumps(said, separators=(",", ":")).encode()
    assert narrow_parser(WANTED)(raw) == [{"id": said[0]["id"], "facts": {"a": None, "more": None}}]
    assert without_nan(b'{"a":NaN,"b":1}') == b'{"a":null,"b":1}'
    mixed = b'{"a":":NaN","b\\":NaN, ":NaN,"c":NaN}'
    assert without_nan(mixed) == b'{"a":":NaN","b\\":NaN, ":NaN,"c":null}'


@narrow
def test_what_is_of_another_shape_is_given_whole() -> None:
    found = narrow_parser(WANTED)(b'[{"id":1,"facts":[NaN],"other":2}]')
    assert found[0].keys() == {"id", "facts", "other"}
    assert math.isnan(found[0]["facts"][0])


@pytest.mark.parametrize("raw", [b"[", b'[{"id":1}', b'[{"id":"a]', b""])
def test_what_is_no_json_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        narrow_parser(WANTED)(raw)


def test_without_msgspec_everything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msgspec", None)
    assert narrow_parser(WANTED)(b'[{"id":1,"other":2}]') == [{"id": 1, "other": 2}]
