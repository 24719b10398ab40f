"""Values of files in their layouts."""

import pytest
from pydantic import BaseModel

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.layouts import in_layout


class Entry(BaseModel):
    number: int


class Entries(BaseModel):
    entries: list[Entry]


def test_the_first_wrong_field_is_named_in_one_line() -> None:
    value = {"entries": [{"number": 1}, {"number": "x"}]}
    with pytest.raises(
        DataError, match=r"^f.yaml, field 'entries.1.number': "
    ) as error:
        in_layout(Entries, value, "f.yaml")
    assert "\n" not in str(error.value)
    with pytest.raises(DataError, match="field 'the whole'"):
        in_layout(Entries, [], "f.yaml")
    assert in_layout(Entry, {"number": 3}, "f.yaml").number == 3
