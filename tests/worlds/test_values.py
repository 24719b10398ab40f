"""Values as text: as Babel writes them."""

from babel.dates import format_date, parse_date
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.worlds.values import LOCALE, Value, written


def test_values_are_written_as_people_do() -> None:
    assert written(Value("money", 1874, "crowns")) == "1,874 crowns"
    assert written(Value("measure", 12.5, "metres")) == "12.5 metres"
    assert written(Value("date", "1987-03-04")) == "4 March 1987"
    assert written(Value("names", ("A", "B", "C"))) == "A, B and C"


@given(st.integers(0, 10**9))
def test_whole_numbers_are_written_as_babel_does(number: int) -> None:
    assert written(Value("count", number)) == format_decimal(number, locale=LOCALE)


@given(st.dates())
def test_dates_are_written_as_babel_does(day: object) -> None:
    told = parse_date(str(day), format="yyyy-MM-dd", locale=LOCALE)
    assert written(Value("date", str(day))) == format_date(told, "d MMMM y", locale=LOCALE)
