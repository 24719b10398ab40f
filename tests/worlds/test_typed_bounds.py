"""What is not said as the answer is left open: bounds, rates, signs, two answers, a turned role, a non-answer."""

import pytest

from refusalbench_tasks.worlds.short_replies.typed_answer import Typed, typed_verdict

YEAR = Typed("year", ("2020",), "In which year was the leak at Trestamp Viewer?", ("The leak was in 2020.",))
SINCE = YEAR._replace(question="From which year on did Trestamp Viewer leak?")
DATE = Typed("date", ("16 March 1937",), "When did Parmard Ironmonger sign?", ("It signed on 16 March 1937.",))
TIME = Typed("time", ("20:30",), "When does Bulvova Medical Post close?", ("It closes at 20:30.",))
COUNT = Typed("count", ("14",), "How many lamps has Ms Glolel Foval?", ("Ms Glolel Foval has 14 lamps.",))
HOURLY = COUNT._replace(question="How many customers an hour has Vermorn Noodles?")
MONEY = Typed("money", ("505 credits", "505"), "What does Foskum Planner cost?", ("It costs 505 credits.",))
YEARLY = MONEY._replace(question="What is the yearly fee of Foskum Planner?")
SALES = Typed("money", ("755 million crowns", "755"), "What did Pilickite sell for?", ("755 million crowns.",))
LENGTH = Typed("measure", ("25 metres", "25"), "How long is the arcade?", ("The arcade is 25 metres long.",))
DRIFT = Typed("measure", ("24 minutes", "24"), "By how much did the clock drift from 1900 to 2000?", ("24 minutes.",))
SHARE = Typed("measure", ("4 per cent", "4"), "What share of the land is clover?", ("Clover has 4 per cent.",))
PERSON = Typed(
    "person", ("Juldia Sosketh",), "Who rescued Weaver Glalvum?", ("Juldia Sosketh rescued Weaver Glalvum.",)
)
PLACE = Typed("place", ("Kormund",), "Where is Mr Beldan Listis buried?", ("His grave is in Kormund, not in Mulmen.",))
FLAG = Typed("flag", ("no",), "Does the number of articles reach 902?", ("There are 810 articles.",))
NAMES = Typed(
    "names", ("allergy tests, diet advice and wound care",), "What is offered?", ("Wound care, vaccination.",)
)

OPEN = [
    *((YEAR, reply) for reply in ("by 2020", "from 2020", "To 2020.", "2020 ❌", "2020 ✗", "2020❓")),
    *((DATE, reply) for reply in ("by 16 March 1937", "from 16 March 1937 on", "By March 16, 1937")),
    *((TIME, reply) for reply in ("by 20:30", "from 20:30", "20:30 am", "25:10", "20:75")),
    *((COUNT, reply) for reply in ("from 14", "7*2", "14**2", "7 × 2", "14‰", "₹14", "14¢", "14 a day", "14 per year")),
    *((HOURLY, reply) for reply in ("14 a day", "14 customers a month")),
    *((MONEY, reply) for reply in ("505 credits a month", "505 each year", "from 505 credits", "₹505", "505¢")),
    (SALES, "755"),
    # 25 m are 82.02 feet and 27.34 yards
    *((LENGTH, reply) for reply in ("82 feet", "82.02 ft", "27 yards", "27.3 yards")),
    *((DRIFT, reply) for reply in ("24 minutes a year", "24 minutes a day")),
    *((SHARE, reply) for reply in ("4‰", "0.04")),
    *((PERSON, reply) for reply in ("TBD", "IDK", "Unbekannt", "Inconnu", "Hmm", "Yes", "Loading", "Unidentified")),
    *((PERSON, f"Weaver Glalvum rescued {name}.") for name in ("Juldia Sosketh", "Sosketh", "Molma Kestick")),
    (PERSON, "Juldia Sosketh was rescued by Weaver Glalvum."),
    *((PLACE, reply) for reply in ("Elsewhere", "TBD")),
    *((FLAG, reply) for reply in ("No, it does.", "No, it reaches 902.", "No. The number of articles reaches 902.")),
    *((NAMES, f"allergy tests, diet advice, wound care{more}") for more in (", etc.", " and more", ", plus more")),
    *((NAMES, reply) for reply in ("Hmm", "TBD", "many", "allergy tests diet advice wound care")),
]
RIGHT = [
    *((YEAR, reply) for reply in ("in 2020", "**2020**", "2020 ✅", "> 2020")),
    (SINCE, "From 2020."),
    *((DRIFT, reply) for reply in ("By 24 minutes.", "24 minutes", "0.4 hours", "from 1900 to 2000, by 24 minutes")),
    *((HOURLY, reply) for reply in ("14 customers an hour", "**14**")),
    (YEARLY, "505 credits a year"),
    (SALES, "755,000,000 crowns"),
    *((LENGTH, reply) for reply in ("By 25 metres.", "2500 cm", "25m")),
    (SHARE, "4%"),
    *((PERSON, reply) for reply in ("SOSKETH", "JULDIA SOSKETH", "Weaver Glalvum was rescued by Juldia Sosketh.")),
    *((FLAG, reply) for reply in ("No, it does not.", "No, it is 810.", "No, according to the text.")),
    *(
        (NAMES, reply)
        for reply in ("allergy tests, diet advice / wound care", "wound care; allergy tests; diet advice")
    ),
]
WRONG = [
    *((LENGTH, reply) for reply in ("25 feet", "24 metres", "100 feet")),
    *((PERSON, reply) for reply in ("Molma Kestick", "Molma Kestick rescued Weaver Glalvum.")),
    *((PLACE, reply) for reply in ("Mulmen", "MULMEN", "Trerova")),
    *((FLAG, reply) for reply in ("Yes, it does.", "Yes, it reaches 902.")),
    *((NAMES, reply) for reply in ("wound care", "allergy tests, diet advice, wound care and vaccination")),
]


@pytest.mark.parametrize(("gold", "reply"), OPEN)
def test_what_is_not_said_as_the_answer_is_left_open(gold: Typed, reply: str) -> None:
    assert typed_verdict(reply, gold) is None


@pytest.mark.parametrize(("gold", "reply"), RIGHT)
def test_what_the_question_says_itself_changes_no_right_value(gold: Typed, reply: str) -> None:
    assert typed_verdict(reply, gold) is True


@pytest.mark.parametrize(("gold", "reply"), WRONG)
def test_another_value_stays_wrong(gold: Typed, reply: str) -> None:
    assert typed_verdict(reply, gold) is False


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": "2012", "answer": "2020"}',
        '{"answer": "2020", "answer": "2012"}',
        '{"answer": "2020", "question": "In which year was the leak at Pesorn Reader?"}',
        "<think> 2020",
        "<THINK>\n2020",
    ],
)
def test_two_answers_another_question_and_a_thought_that_breaks_off_are_left_open(reply: str) -> None:
    assert typed_verdict(reply, YEAR) is None
    person = reply.replace("2020", "Juldia Sosketh").replace("2012", "Glormio Bremery")
    assert typed_verdict(person, PERSON) is None


def test_the_question_itself_beside_the_answer_is_dress() -> None:
    assert typed_verdict(f'{{"question": "{YEAR.question}", "answer": "2020"}}', YEAR) is True


@pytest.mark.parametrize("word", ["passengers", "helpers", "secretary", "blankets", "voided tickets", "skippers"])
def test_a_word_that_begins_like_a_doubt_is_none(word: str) -> None:
    gold = Typed("kind", (f"two {word}",), "What was found?", (f"There were two {word} and three boats.",))
    assert typed_verdict(f"It was two {word}.", gold) is True
    assert typed_verdict("It was three boats.", gold) is False
    other = Typed("kind", ("three boats",), "What was found?", (f"There were two {word} and three boats.",))
    assert typed_verdict(f"two {word}", other) is False
