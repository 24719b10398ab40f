"""Each kind of value has one form, however it is written."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.generators.kit.text.calendar_dates import Date
from refusalbench_tasks.generators.kit.text.number_words import cardinal, ordinal
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.kit.text.word_forms import stem

NAMES = "January February March April May June July August September October November December"
MONTHS = NAMES.split()
TO_TWELVE = "zero one two three four five six seven eight nine ten eleven twelve"
TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
ONES = [*TO_TWELVE.split(), *TEENS.split()]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def only(text: str) -> Token:
    (token,) = typed_tokens(text)
    return token


def in_words(number: int) -> str:
    """Return a number below a thousand million in British words."""
    for worth, name in ((10**6, "million"), (1000, "thousand")):
        if number >= worth:
            rest = number % worth
            behind = f" {'and ' if rest < 100 else ''}{in_words(rest)}" if rest else ""
            return f"{in_words(number // worth)} {name}{behind}"
    if number >= 100:
        return f"{ONES[number // 100]} hundred" + (f" and {in_words(number % 100)}" if number % 100 else "")
    if number >= 20:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    return ONES[number]


@settings(max_examples=40)
@given(st.integers(0, 10**9 - 1))
def test_a_number_is_one_in_digits_with_commas_and_in_words(number: int) -> None:
    forms = (str(number), f"{number:,}", f"{number:,}".replace(",", " "), in_words(number))
    assert {only(form).number for form in forms} == {float(number)}
    assert {only(form).kind for form in forms} == {"number"}


@settings(max_examples=40)
@given(st.dates(date(1000, 1, 1), date(2199, 12, 31)))
def test_a_date_is_one_in_every_order(day: date) -> None:
    month = MONTHS[day.month - 1]
    forms = (
        f"{day.day} {month} {day.year}",
        f"the {day.day}th of {month}, {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]}. {day.day}, {day.year}",
        day.isoformat(),
        f"{day.day}.{day.month}.{day.year}",
    )
    assert {only(form).date for form in forms} == {Date(day.year, day.month, day.day)}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3.2 million", 3_200_000),
        ("three million two hundred thousand", 3_200_000),
        ("eighteen seventy-four", 1874),
        ("nineteen hundred and five", 1905),
        ("twenty twenty", 2020),
        ("fourteen hundred", 1400),
        ("two dozen", 24),
        ("half a million", 500_000),
        ("three quarters", 0.75),
        ("one quarter", 0.25),
        ("1/4", 0.25),
        ("minus twelve", -12),
        ("-12", -12),
    ],
)
def test_scales_and_years_in_words(text: str, number: float) -> None:
    assert only(text).number == number


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("180 kg", "180 kilograms"),
        ("180kg", "180 kilogrammes"),
        ("4.31 kilometres", "4,310 m"),
        ("0.18 tonnes", "180 kilos"),
        ("93 per cent", "93%"),
        ("£4.5 million", "4,500,000 pounds"),
        ("£4.5m", "4.5 million pounds"),
        ("-31 °C", "minus 31 degrees Celsius"),
        ("four years", "48 months"),
        ("40 km/h", "forty kilometres per hour"),
        ("12 square metres", "12 m²"),
        ("12-metre", "12 metres"),
    ],
)
def test_a_quantity_is_one_in_every_unit_of_its_kind(first: str, second: str) -> None:
    assert (only(first).kind, only(first).unit) == ("quantity", only(second).unit)
    assert only(first).size == pytest.approx(only(second).size)


def test_units_of_two_kinds_differ_and_a_word_that_may_be_a_unit_is_none_without_a_number() -> None:
    assert only("12 °C").unit != only("12 °F").unit
    assert [token.kind for token in typed_tokens("they are in the second minute")] == ["word"] * 3 + ["ordinal", "word"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("it may be crossed", "word word word word"),
        ("crossed in May", "word word date"),
        ("May the boats cross?", "word word word"),
        ("May 1911", "date"),
        ("Theresa May spoke", "word word word"),
        ("June Carter sang", "word word word"),
        ("in June she sang", "word date word word"),
        ("he marched on", "word word word"),
        ("1914-1918", "number number"),
        ("the 1820s", "word"),
        ("at 22:47", "word time"),
        ("Henry VIII", "word ordinal"),
        ("tower at 東京", "word word word word"),
    ],
)
def test_what_is_a_month_a_time_or_a_plain_word(text: str, kinds: str) -> None:
    assert [token.kind for token in typed_tokens(text)] == kinds.split()


def test_times_of_day_are_one_by_either_clock() -> None:
    assert {only(form).number for form in ("22:47", "10:47 p.m.", "10.47 pm")} == {22 * 60 + 47}
    assert {only(form).number for form in ("00:15", "12:15 am")} == {15}


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("ships", "ship"),
        ("berries", "berry"),
        ("boxes", "box"),
        ("glass", "glass"),
        ("men", "man"),
        ("Brandt's", "brandt"),
        ("harbours", "harbor"),
        ("bus", "bus"),
        ("gas", "gas"),
    ],
)
def test_endings(word: str, form: str) -> None:
    assert stem(word) == form


def test_articles_are_left_out_but_a_letter_is_none() -> None:
    assert [token.form for token in typed_tokens("The dog in Basin A! A cat")] == ["dog", "in", "basin", "a", "cat"]
    assert [token.form for token in typed_tokens("A", is_answer=True)] == ["a"]


@pytest.mark.parametrize(
    ("text", "asked", "gives"),
    [
        (Date(1874, 10, 3), Date(1874, 10, 3), True),
        (Date(None, 10, 3), Date(1874, 10, 3), True),
        (Date(1875, 10, 3), Date(1874, 10, 3), False),
        (Date(1874, 10), Date(1874, 10, 3), False),
        (Date(1874, 10, 3), Date(None, 10), True),
        (Date(1874), Date(1874, 10), False),
    ],
)
def test_a_date_gives_another_that_it_is_no_coarser_than(text: Date, asked: Date, gives: bool) -> None:
    assert text.gives(asked) is gives


def test_a_day_between_slashes_is_open_where_both_orders_are_possible() -> None:
    slashed = only("3/10/1874").date
    assert slashed is not None
    assert slashed.gives(Date(1874, 10, 3))
    assert slashed.gives(Date(1874, 3, 10))
    assert not slashed.gives(Date(1874, 3, 3))
    assert only("31/10/1874").date == only("10/31/1874").date == Date(1874, 10, 31)
    assert only("99.99.1874").kind == "word"


def test_a_third_is_a_part_only_without_a_noun() -> None:
    assert [token.number for token in typed_tokens("a third of it")][:1] == [1 / 3]
    assert [token.kind for token in typed_tokens("a third man")] == ["ordinal", "word"]
    assert only("9/0").kind == "word"


def test_ordinals_and_what_is_no_number() -> None:
    assert ordinal(["twenty", "fifth"]) == (25, 2)
    assert ordinal(["fortieth"]) == (40, 1)
    assert ordinal([]) is ordinal(["nineth"]) is None
    assert cardinal(["and", "two"]) is None
    assert cardinal(["two", "and", "three"]) == (2, 1)


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_any_text_has_tokens(text: str) -> None:
    assert all(token.raw for token in typed_tokens(text))


BEGINNINGS = [
    *(word for word in (*ONES, *TENS, "hundred", "dozen", "score", "thousand", "million") if word),
    *("first", "twelfth", "fortieth", "half a million", "two thirds", "a third", "USD 5", "£5", "minus five"),
    *("half an hour", "a year and a half", "an hour and a half", "one year and a half", "the fifth of May"),
    *("May 1999", "Sept. 1999", "the 5th of June", "the fifth day of June 1999", "the twenty first day of June"),
]


@pytest.mark.parametrize("text", BEGINNINGS)
def test_whatever_word_a_value_begins_with_it_is_one_token(text: str) -> None:
    assert only(text).kind != "word"
    assert [token.kind for token in typed_tokens(f"Ole said {text}.")][:2] == ["word", "word"]
    assert typed_tokens(f"Ole said {text}.")[2].kind == only(text).kind
