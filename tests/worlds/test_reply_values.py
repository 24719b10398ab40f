"""The values that a text gives, by the type of a row."""

import pytest

from refusalbench_tasks.worlds.reply_values import (
    gives_quantity,
    is_silent,
    values_in,
    without_values,
)
from tests.growth import grows_linearly

TYPES = ("money", "time", "year", "date", "measure", "count", "flag")


@pytest.mark.parametrize(
    ("kind", "text", "values"),
    [
        ("money", "It is £40, or 45 pounds", ["£40", "45 pounds"]),
        ("money", "**40**", ["40"]),
        ("money", "40 boats", []),
        ("time", "At 5.15 p.m. or 17:15", ["5.15 p.m.", "17:15"]),
        ("year", "In 1987, clause 1990", ["1987"]),
        ("date", "4 May 2026 and May 5th, 2026", ["4 may 2026", "may 5th, 2026"]),
        ("measure", "12 cm x 3 m", ["12 cm", "3 m"]),
        ("count", "No. 7 has 1,200 boats (3), 12:30", ["1,200"]),
        ("flag", "Yes. No idea, no mention.", ["yes"]),
        ("flag", "No, it is not", ["no"]),
        ("entity", "Eldham", []),
    ],
)
def test_values_of_a_type(kind: str, text: str, values: list[str]) -> None:
    assert values_in(text, kind) == values


def test_a_lone_number_may_be_a_clause_and_is_no_quantity() -> None:
    assert gives_quantity("It is 17:15.")
    assert gives_quantity("12 cm")
    assert not gives_quantity("Clause 4 of the list of 2012")


def test_a_list_says_nothing_but_its_values() -> None:
    assert is_silent(without_values("£40 or £45", "money"))
    assert not is_silent(without_values("£40 less £45", "money"))


@pytest.mark.parametrize("piece", ["1", "1,", "1.", "£1", "9 ", "1:", "Jan 1 "])
@pytest.mark.parametrize("kind", TYPES)
def test_the_work_is_linear(kind: str, piece: str) -> None:
    assert grows_linearly(lambda text: values_in(text, kind), piece)
