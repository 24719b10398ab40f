"""What is between the brackets of a JSON array, copied as it is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.files.json_stream import inner


@settings(max_examples=60)
@given(
    st.lists(
        st.dictionaries(st.text(max_size=3), st.text(max_size=90) | st.lists(st.integers(), max_size=3)), max_size=4
    ),
    st.integers(1, 200),
    st.sampled_from(["", " ", "\n  "]),
)
def test_it_is_all_between_the_brackets(rows: list[object], size: int, space: str) -> None:
    raw = f"{space}[{space}{json.dumps(rows)[1:-1]}{space}]{space}".encode()
    found = b"".join(inner(raw[k : k + size] for k in range(0, len(raw), size)))
    assert json.loads(b"[" + found + b"]") == rows
    assert (found == b"") is (rows == [])


@pytest.mark.parametrize("raw", [b"", b"  ", b'{"a":1}', b"[1", b'["a]"'])
def test_what_has_no_brackets_is_no_array(raw: bytes) -> None:
    with pytest.raises(ValueError, match="no JSON array"):
        list(inner([raw]))
