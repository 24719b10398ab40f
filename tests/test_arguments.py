"""The arguments of a task as one checked model."""

from typing import Any, Never

import pytest
import yaml
from pydantic import Field

from refusalbench_tasks.arguments import (
    Arguments,
    Count,
    Names,
    PromptFile,
    Text,
    names_of,
    reject_unknown,
    require,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scorers.refusal_settings import RefusalScoring


class Paint(Arguments):
    colour: Text = Field(description="a colour: -T colour=red")
    coats: Count = 1
    walls: Names = ()
    prompt: PromptFile = None


def paint(colour: str | None = None, coats: int = 1, **others: Never) -> None:
    reject_unknown(paint, others)


@pytest.mark.parametrize(
    ("argument", "names"),
    [
        (None, ()),
        ("north, south,", ("north", "south")),
        # as Inspect's command line hands a text with commas on
        (["north", " south"], ("north", "south")),
        (7, ("7",)),
    ],
)
def test_names_are_a_comma_list(argument: Any, names: tuple[str, ...]) -> None:
    assert names_of(argument) == names
    assert Paint(colour="red", walls=argument).walls == names


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "colour: required; a colour: -T colour=red"),
        ({"colour": None}, "colour: required; a colour"),
        (
            {"colour": 7},
            "colour: Input should be a valid string, got 7; quote",
        ),
        ({"colour": "red", "coats": 0}, "coats: Input should be greater than or equal"),
        ({"colour": "red", "coat": 1}, "unknown argument 'coat'; known: colour, coats"),
    ],
)
def test_what_is_wrong_with_an_argument_is_one_line(
    arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=f"^{problem}"):
        Paint(**arguments)


def test_some_arguments_are_checked_without_the_others() -> None:
    assert Paint.some({"walls": "north", "coats": 2}) == {
        "walls": ("north",),
        "coats": 2,
    }
    with pytest.raises(DataError, match="^coats: Input should be a valid integer"):
        Paint.some({"coats": "two"})
    with pytest.raises(DataError, match="^unknown argument 'coat'; known: colour"):
        Paint.some({"coat": 2})


def test_the_bundled_prompt_has_a_name_and_is_what_is_meant_without_one() -> None:
    ours = Paint(colour="red", prompt="ours")
    assert ours == Paint(colour="red")


def test_what_a_task_lacks_is_told_with_what_it_has() -> None:
    with pytest.raises(DataError, match="^paint: unknown argument 'coat'; known: col"):
        paint(coat=2)  # type: ignore[arg-type]
    paint(colour="red")


def test_a_value_of_no_kind_is_none() -> None:
    require(Count, coats=None, walls=3)
    with pytest.raises(DataError, match="^walls: Input should be a valid integer"):
        require(Count, coats=None, walls="3")


def test_off_is_off_although_yaml_makes_false_of_it() -> None:
    check: Any = yaml.safe_load("off")
    assert check is False
    assert RefusalScoring(grader_check=check).grader_check == "off"
    assert RefusalScoring.some({"grader_check": check}) == {"grader_check": "off"}
    with pytest.raises(DataError, match="judge"):
        RefusalScoring(judge=check)
