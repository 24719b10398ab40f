"""Values as text, in other units, and in the ways that an answer may be written."""

from datetime import date

import pytest

from refusalbench_tasks.worlds.values import Value, aliases, limits_around, month_of

DAY = date(2024, 3, 4).toordinal()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value("money", 12.5), "£12.50"),
        (Value("money", 1200), "£1,200"),
        (Value("measure", 1400, "mm"), "1,400 mm"),
        (Value("measure", 2.5, "m"), "2.5 m"),
        (Value("count", 1400), "1,400"),
        (Value("time", 17 * 60 + 5), "17:05"),
        (Value("date", DAY), "4 March 2024"),
        (Value("year", 1957), "1957"),
        (Value("flag", 1), "yes"),
        (Value("flag", 0), "no"),
        (Value("entity", 0, name="Eldham"), "Eldham"),
    ],
)
def test_a_value_is_written_as_documents_write_it(value: Value, text: str) -> None:
    assert str(value) == text


def test_a_measure_is_the_same_in_the_unit_below() -> None:
    assert Value("measure", 2.2, "m").in_smaller_unit() == Value("measure", 220, "cm")
    with pytest.raises(KeyError):
        Value("measure", 3, "hours").in_smaller_unit()


def test_an_answer_may_be_written_without_its_sign_or_unit() -> None:
    assert aliases(Value("money", 40)) == ["£40", "40 pounds", "40"]
    assert aliases(Value("measure", 1400, "mm")) == ["1,400 mm", "1,400"]
    assert aliases(Value("year", 1957)) == ["1957"]


def test_a_date_has_a_month() -> None:
    assert month_of(Value("date", DAY)) == "March"


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (Value("time", 605), 600, 660),
        (Value("year", 1957), 1950, 1959),
        (Value("count", 4), 3, 5),
        (Value("measure", 60, "cm"), 54, 69),
        (Value("measure", 0.5, "mm"), 0.4, 0.6),
    ],
)
def test_a_range_has_its_value_inside(value: Value, low: float, high: float) -> None:
    ends = limits_around(value)
    assert [end.number for end in ends] == [low, high]
    assert low < value.number < high
