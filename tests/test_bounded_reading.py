"""Whatever a file holds is a value or one error line."""

import pytest
from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import (
    DEEPEST,
    MOST_DIGITS,
    in_layout,
    json_objects,
    json_value,
    yaml_value,
)
from refusalbench_tasks.errors import DataError


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "line 1: not valid JSON"),
        ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
        ("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), f"nested more than {DEEPEST} deep"),
        ("9" * (MOST_DIGITS + 1), f"a number of more than {MOST_DIGITS} digits"),
        ("Infinity", "Infinity is no number"),
    ],
)
def test_bad_json_is_one_line_that_names_the_source(text: str, problem: str) -> None:
    with pytest.raises(DataError, match="^rows.json") as error:
        json_value(text, "rows.json")
    assert problem in str(error.value)


def test_a_missing_number_of_other_programs_is_none() -> None:
    assert json_value("[NaN]", "rows.json") == [None]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: &x 1\nb: *x", "line 2: aliases are not read"),
        ("a: 1\na: 2", "line 1: a key is there twice"),
        ("a: [", "line 1"),
        ("\ud800", "half of a surrogate pair"),
    ],
)
def test_bad_yaml_is_one_line_that_says_where(text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        yaml_value(text, "levers.yaml")
    assert str(error.value).startswith("levers.yaml: not valid YAML (")
    assert problem in str(error.value)


def test_what_only_begins_like_an_object_is_passed_over() -> None:
    objects, end = json_objects('so {this} is {"a": {"b": 1}} it')
    assert objects == [{"a": {"b": 1}}]
    assert 'so {this} is {"a": {"b": 1}} it'[end:] == " it"


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
