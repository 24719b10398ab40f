"""Whether an answer stands in a text: in another form, in a short form, in another role, or not."""

import pytest

from refusalbench_tasks.generators.kit.text.standing import Asked

MILL = Asked("Who built the mill at Tarn?", ("Ole Brandt",), ("The mill at Tarn was built by Ole Brandt in 1820.",))
DAY = Asked("When was it lit?", ("3 October 1874",), ("It was lit on 3 October 1874.",))
WEIGHT = Asked("How heavy is it?", ("180 kilograms",), ("It weighs 180 kilograms.",))
CENSUS = Asked("How many live there?", ("3.2 million",), ("3.2 million people live there.",))
SHIPS = Asked("How many ships did they send?", ("two",), ("They sent two ships past two moons.",))
MONTH = Asked("In which month is it crossed?", ("May",), ("In May it may be crossed.",))
YORK = Asked("Where did he die?", ("York",), ("The Duke of York died in York.",))
DUKE = Asked("Who came?", ("York",), ("The Duke of York came.",))
BASIN = Asked("Which basin was emptied?", ("Basin C",), ("Basin C was emptied.",))
RIVERS = Asked("Which rivers meet?", ("the Alse, the Mure and the Inner Zill",), ("There the Alse, the Mure and ...",))
FIRES = Asked("What did it do?", ("put an end to the cabin fires",), ("It put an end to the cabin fires.",))
CLOCK = Asked("What fell?", ("a ship's clock",), ("A ship's clock fell.",))
YARD = Asked("What burned?", ("the ship-yard",), ("The ship-yard burned.",))
LOCKERS = Asked("How many lockers let water in?", ("17",), ("Of 64 lockers 47 stayed dry and 17 let water in.",))
LENGTH = Asked("How high is the tower?", ("41 metres", "41"), ("The tower is 41 metres high.",))
FOUNDER = Asked("Who founded the Brandt works?", ("Ole Brandt",), ("Ole Brandt founded the Brandt works.",))
TRIAL = Asked("What was the verdict?", ("acquitted",), ("Hale was acquitted.",))

QUEEN = Asked("Who signed the treaty?", ("Queen Sigrid II",), ("Queen Sigrid II signed the treaty.",))
YEARS = Asked("During which years was he mayor?", ("1922 to 1934",), ("He was mayor from 1922 to 1934.",))
OPENED = Asked("When did it open?", ("1931",), ("Opened 1931.",))
PRICE = Asked("What did it cost?", ("£4.5 million",), ("It cost £4.5 million.",))
LAMP = Asked("What caused the fire?", ("a spilled oil lamp",), ("A spilled oil lamp caused it.",))


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (QUEEN, "It lies next to Sigrid's pen."),
        (QUEEN, "signed by Sigrid the Second"),
        (YEARS, "mayor 1922–34"),
        (OPENED, "opened in '31"),
        (PRICE, "insured for GBP 4,500,000"),
        (LAMP, "a lamp whose oil had been spilled"),
        (MILL, "The mill was built by Brandt."),
        (MILL, "It was built by O. Brandt"),
        (MILL, "Captain Brandt built it"),
        (MILL, "the name Brandt, Ole"),
        (MILL, "On the beam stands O. B. in white"),
        (MILL, "Ole’s portrait hangs there"),
        (MILL, "built by OLE BRANDT"),
        (DAY, "It was lit on the 3rd of October 1874."),
        (DAY, "lit on October 3, 1874"),
        (DAY, "lit on 1874-10-03"),
        (DAY, "lit on the third of October"),
        (WEIGHT, "It weighs 180 kg."),
        (WEIGHT, "It weighs 0.18 tonnes."),
        (CENSUS, "It has 3,200,000 inhabitants"),
        (CENSUS, "three million two hundred thousand people live there"),
        (SHIPS, "They sent 2 large ships."),
        (SHIPS, "Of their ships, two were sent."),
        (MONTH, "crossed in May"),
        (YORK, "He died in the city of York."),
        (DUKE, "the Duke of York came"),
        (BASIN, "They emptied Basin C. Old Brenna rang."),
        (RIVERS, "the water of the Inner Zill, the Mure and the Alse"),
        (FIRES, "The cabin fires were put to an end."),
        (CLOCK, "The ships’ clocks fell."),
        (YARD, "The shipyard burned"),
        (YARD, "The ship yards burned"),
        (LOCKERS, "Most stayed dry, 17 leaked."),
        (LENGTH, "It is 41 m high."),
        (TRIAL, "They drank to the acquittal."),
    ],
)
def test_an_answer_stands_in_another_form(asked: Asked, text: str) -> None:
    assert asked.given_in([text])
    assert asked.kept_in(["It rains.", text])


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (MILL, "The mill was built by Per Brandt."),
        (MILL, "The mill in Brandt Street"),
        (DAY, "lit on 3 October 1875"),
        (DAY, "lit in October 1874"),
        (WEIGHT, "It weighs 180 pounds."),
        (WEIGHT, "It weighs 18 kg."),
        (MONTH, "It may be crossed. May the boats cross?"),
        (MONTH, "Theresa May crossed it"),
        (YORK, "The Duke of York died."),
        (YORK, "He died in New York."),
        (YORK, "He died in York Road."),
        (BASIN, "Basin A was emptied"),
        (YARD, "The yard burned down, and then the ships"),
        (FOUNDER, "The Brandt works were founded by a smith."),
        (TRIAL, "He was acquainted with the law"),
    ],
)
def test_what_only_looks_like_an_answer_is_none(asked: Asked, text: str) -> None:
    assert not asked.given_in([text])
    assert not asked.kept_in([text])


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (SHIPS, "They sent ships past two moons."),
        (LENGTH, "The tower is 41 years old."),
    ],
)
def test_a_number_of_something_else_gives_nothing_away_but_counts_as_kept(asked: Asked, text: str) -> None:
    assert not asked.given_in([text])
    assert asked.kept_in([text])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It was not built by Ole Brandt.", False),
        ("It wasn't Ole Brandt.", False),
        ("It was built by others rather than Ole Brandt.", False),
        ("It was not built by Ole Brandt. Brandt paid for the roof.", False),
        ("It was not built by the town but by Ole Brandt.", True),
        ("It was not rebuilt; Ole Brandt had built it.", True),
        ("It was not built by Ole Brandt, says one; it was built by Ole Brandt, says the other.", True),
    ],
)
def test_a_denied_answer_is_not_kept(text: str, kept: bool) -> None:
    assert MILL.kept_in([text]) is kept


def test_without_answers_nothing_stands() -> None:
    asked = Asked("Who?", ())
    assert not asked.given_in(["anything"])
    assert not asked.kept_in(["anything"])


HUT = Asked("In which year was it built?", ("1874",), ("It stands at 1,874 m. It was built in 1874.",))
LAMBS = Asked("How many lambs were born in 2016?", ("2,017",), ("In 2016 there were 2,017 lambs.",))
KARST = Asked("Who designed it?", ("Ludmilla Karst", "Karst"), ("It was designed by Ludmilla Karst on the karst.",))
RANK = Asked(
    "In which place did he finish?",
    ("second", "second place"),
    ("At the second buoy he was level. He came in second.",),
)
TERM = Asked("How long did it take?", ("18 months",), ("It took 18 months.",))
LORRIES = Asked("Are lorries allowed?", ("no",), ("Lorries are not allowed. No dogs either.",))


@pytest.mark.parametrize(
    ("asked", "text", "given"),
    [
        (HUT, "It stands at 1,874 m.", False),
        (HUT, "It was built in MDCCCLXXIV.", True),
        (HUT, "1874 was its year", True),
        (LAMBS, "There were 2,105 in 2017.", False),
        (LAMBS, "There were 2017 lambs.", True),
        (KARST, "It stands on the karst plateau.", False),
        (KARST, "It was drawn by Karst.", True),
        (RANK, "At the second buoy he was level.", False),
        (RANK, "He came in second.", True),
        (RANK, "He took second place.", True),
        (TERM, "It took a year and a half.", True),
        (TERM, "It took half a year.", False),
        (LORRIES, "No dogs are allowed.", False),
    ],
)
def test_an_answer_of_one_kind_is_not_found_in_another(asked: Asked, text: str, given: bool) -> None:
    assert asked.given_in([text]) is given


def test_a_count_is_lost_where_only_a_year_of_that_number_is_left() -> None:
    assert LAMBS.kept_in(LAMBS.originals)
    assert not LAMBS.kept_in(["There were 1,940 in 2015, more in 2016 and 2,105 in 2017."])
