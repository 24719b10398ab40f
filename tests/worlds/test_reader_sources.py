"""Whose word a sentence is, and of which year: what the reader takes off before it reads what is said."""

import pytest

from refusalbench_tasks.worlds.reader import Unreadable, read_row
from refusalbench_tasks.worlds.statement import Fact, Order, Statement
from refusalbench_tasks.worlds.values import Value

X, Y = "Zorbel Clinic", "Pranik Hospital"
BEDS = f"the bed count of {X}"


def stated(text: str) -> list[Statement]:
    return list(read_row("clinics", [text], f"How many beds does {X} have?").statements)


@pytest.mark.parametrize(
    "text",
    [
        f"In its issue of 1987, the district register gives 41 as {BEDS}.",
        f"In 1987, the district register named 41 as {BEDS}.",
        f"To go by the 1987 printing of the district register, {BEDS} is 41.",
        f"The bed count of {X} is 41, says the 1987 volume of the district register.",
        f"The district register, in its 1987 version, has 41 as {BEDS}.",
        f"The district register of 1987 shows 41 as {X}'s bed count.",
        f"The district register, as printed in 1987, lists 41 as {BEDS}.",
        f"Concerning {BEDS}, the district register of 1987 records 41.",
    ],
)
def test_the_year_of_an_edition_is_no_period_of_the_value(text: str) -> None:
    fact = Fact(X, "beds", Value("count", 41), source="the district register", rank=2)
    (found,) = stated(text)
    assert isinstance(found, Fact)
    assert (found.subject, found.relation, found.value, found.at, found.rank) == (
        *(fact.subject, fact.relation, fact.value, fact.at, fact.rank),
    )
    assert found.source.lower() == fact.source


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        (f"What the district register gives as {BEDS} is 41.", 2),
        (f"One learns from an unsigned leaflet that {X}'s bed count is 41.", 0),
        (f"That {BEDS} is 41 is what a rumour at the bakery asserts.", 0),
        (f"The gossip from the bus stop puts it in one line: {BEDS} is 41.", 0),
        (f"From the official gazette comes the news that {X} has 41 beds.", 2),
        (f"{X} has 41 beds, to quote the district register.", 2),
    ],
)
def test_a_source_may_stand_before_behind_and_around_what_it_says(text: str, rank: int) -> None:
    (found,) = stated(text)
    assert isinstance(found, Fact)
    assert (found.relation, found.value, found.rank) == ("beds", Value("count", 41), rank)


@pytest.mark.parametrize(
    "text",
    [
        f"On the word of a passing sailor, {BEDS} is 41.",
        f"Word comes from a passing sailor that {BEDS} is 41.",
        f"As told by a passing sailor, {BEDS} is 41.",
        f"The bed count of {X} is 41, states a passing sailor.",
        f"Ada Moll told nobody that {BEDS} is 41.",
    ],
)
def test_a_source_that_is_unknown_or_says_nothing_of_the_kind_is_an_error(text: str) -> None:
    with pytest.raises(Unreadable):
        stated(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{X} has a clearly later opening year than {Y}.",
        f"{Y} has an earlier opening year than {X}.",
        f"The opening year of {Y} precedes that of {X}.",
        f"Set beside {Y}, {X} has the later opening year.",
        f"The opening year of {X} falls some way after that of {Y}.",
        f"The opening year of {Y} comes shortly before that of {X}.",
    ],
)
def test_the_later_of_two_is_found_whichever_is_named_first(text: str) -> None:
    assert stated(text) == [Order(X, Y, "opened")]
