"""The reader of worlds on matters that no domain holds, idle remarks, and what can be understood in several ways."""

from collections import Counter
from importlib.resources import files

import pytest
import yaml

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader import Unreadable, derive, read_row
from refusalbench_tasks.worlds.reader.frames import frames
from refusalbench_tasks.worlds.solve import Solved
from refusalbench_tasks.worlds.statement import Alias, Denial, Either, Fact, Statement
from refusalbench_tasks.worlds.values import Value

X, Y, Z = "Zorbel Clinic", "Wanick Surgery", "Tarvo Clinic"
ADA, BEA = "Lumra Tavost", "Stora Vilmen"


def stated(*sentences: str) -> list[Statement]:
    return list(read_row("clinics", [" ".join(sentences)], f"When was {X} opened?").statements)


def asked(question: str) -> Ask:
    return read_row("clinics", [], question).ask


def person(name: str) -> Value:
    return Value("person", name)


def year(number: int) -> Value:
    return Value("year", number)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (f"{X} has been reviewed only once, by {ADA}.", Denial(X, "second reviewer")),
        (f"Ms {ADA}, who keeps the files on {X}, has never rowed a boat.", Denial(ADA, "stopped")),
        (f"In 1990, Ms {ADA}, who keeps the files on {X}, stopped rowing.", Fact(ADA, "stopped", year(1990))),
        (f"Ms {ADA} is spokeswoman for {X} and has never stepped down.", Denial(ADA, "resigned")),
        (f"Ms {ADA} keeps the files on {X}; they have never been sold.", Denial(ADA, "new: sold")),
        (
            f"The sticker about {X} has the shape of a square with straight sides of 90 centimetres each.",
            Fact(X, "side of sticker", Value("measure", 90, "centimetres")),
        ),
        (f"The sticker about {X} is a perfect circle with a diameter of 90 centimetres.", Denial(X, "side of sticker")),
        (f"For 12 days, the strike over {X} went on.", Fact(X, "length of strike", Value("measure", 12, "days"))),
        (f"At no time was there a strike over {X}.", Denial(X, "length of strike")),
        (
            f"Glurvard is a clerk who hoped for a quiet week when the files on {X} were moved.",
            Fact("Glurvard", "hope", Value("kind", "a quiet week")),
        ),
        (
            f"A wall clock called Glurvard had to be pushed aside when the files on {X} were moved.",
            Denial("Glurvard", "hope"),
        ),
    ],
)
def test_a_sentence_about_a_matter_states_or_denies_it(sentence: str, statement: Statement) -> None:
    assert statement in stated(sentence)


@pytest.mark.parametrize(
    "aside",
    [
        ", known for its blue logo",
        ", which comes with a little badge",
        ", which has a red label",
        ", which boasts a mascot of its own",
        ", which once won the Nambum Prize",
        ", which was awarded the Nambum Medal",
        ", which has long been owned by the Trurvund Trust",
        ", which was taken over by the Trurvund Group",
        ", with a special stamp of its own",
        ", winner of the Nambum Prize",
        ", now in the hands of Trurvund Holdings",
        ", controlled by Warmova and Partners",
    ],
)
def test_a_remark_between_commas_asks_for_nothing(aside: str) -> None:
    assert asked(f"When was {X}{aside}, opened?") == asked(f"When was {X} opened?")


def test_a_seat_that_is_asked_for_is_no_remark() -> None:
    assert asked(f"What is the seat of {X}?") == Ask("value", "location", (X,))


@pytest.mark.parametrize(
    "text", [f"The song about {X} is the same in all its versions.", f"All editions of the notes on {X} agree."]
)
def test_what_makes_a_remark_idle_states_nothing(text: str) -> None:
    assert stated(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"Ms {ADA}, who keeps the files on {X}, bought 14 umbrellas.",
        f"Ms {ADA}, who keeps the files on {X}, stopped {BEA}.",
        f"The strike over {X} lasted 12 days and 14 days.",
        # the keys were not, and of the files it is not said
        f"Ms {ADA} looks after the keys for {X}; they have never been sold.",
        f"For 12 days, the brawl over {X} went on.",
        "This one hangs in room 12, that one in room 14.",
        f"There have been two reviews of {X}: {ADA} carried out the first and {ADA} the second.",
    ],
)
def test_a_matter_that_fits_no_frame_is_an_error(text: str) -> None:
    with pytest.raises(Unreadable):
        stated(text)


def test_she_is_either_of_two_women_and_the_only_one_beside_a_man() -> None:
    office = f"share an office, and she is the head of {X}."
    assert stated(f"Ms {ADA} and Ms {BEA} {office}") == [Fact(X, "head", (person(ADA), person(BEA)))]
    assert stated(f"Mr {ADA} and Ms {BEA} {office}") == [Fact(X, "head", person(BEA))]


def test_she_reaches_over_sentences_up_to_a_new_scene() -> None:
    chain = [f"First there was Ms {ADA}.", f"Then Ms {BEA} joined.", "The coffee was good."]
    assert stated(*chain, f"Now she is the head of {X}.") == [Fact(X, "head", (person(ADA), person(BEA)))]
    letter = [f"Mr Dramo Kelt had a letter from Ms {BEA}.", f"In it stood that she was the head of {X}."]
    assert stated(f"Ms {ADA} met Ms Orla Kest.", *letter) == [Fact(X, "head", person(BEA))]


def test_a_byname_stands_for_a_thing_or_a_person() -> None:
    assert stated(f"{X}, unlike {Y}, is also known as the Magpie.", "The Magpie opened in 1957.") == [
        Fact(X, "opened", year(1957))
    ]
    named = [f"The Magpie, as people call Ms {ADA}, keeps the files on {X}.", "In 1984 the Magpie bought a new ladder."]
    assert stated(*named) == [Fact(ADA, "new ladder", year(1984))]


def test_a_nickname_that_is_a_name_is_no_byname() -> None:
    said = f"Lulvor Tavost is nicknamed {ADA}."
    assert stated(said) == [Alias(ADA, "Lulvor Tavost")]
    assert stated(f"The head of {X} is {ADA}.", said)[1:] == [Alias(ADA, "Lulvor Tavost")]


def test_two_values_for_three_things_leave_the_middle_one_open() -> None:
    text = f"For {X}, {Y} and {Z}, the year of opening is put down as 1950 and 1960 respectively."
    assert stated(text) == [
        Fact(X, "opened", year(1950)),
        Fact(Z, "opened", year(1960)),
        Fact(Y, "opened", (year(1950), year(1960))),
    ]


def test_this_one_and_the_other_go_either_way_round() -> None:
    first, last = year(1950), year(1960)
    text = [
        f"{X} and {Y} stand side by side in the list.",
        "The opening year of this clinic is 1950, that of the other 1960.",
    ]
    assert stated(*text) == [
        Either(
            (
                (Fact(X, "opened", first), Fact(Y, "opened", last)),
                (Fact(Y, "opened", first), Fact(X, "opened", last)),
            )
        )
    ]


@pytest.mark.parametrize(
    ("text", "question", "solved"),
    [
        (
            f"The guide lent the lamp returned to the archive with the notes on {X} on the last night.",
            f"Who or what returned to the archive with the notes on {X} on the last night?",
            Solved(Label.AMBIGUOUS),
        ),
        (
            f"Once lent the lamp the guide returned to the archive with the notes on {X} on the last night.",
            f"Who or what returned to the archive with the notes on {X} on the last night?",
            Solved(Label.ANSWER, Value("kind", "the guide")),
        ),
        (
            f"The papers on {X} mention a harp, the Holdis, sold in 1948, as well as a farm, the Holdis, sold in 1950.",
            f"When was the Holdis of the papers on {X} sold?",
            Solved(Label.AMBIGUOUS),
        ),
        (
            f"The papers on {X} mention a harp, the Holdis, sold in 1948, as well as a farm, the Rirdis, sold in 1950.",
            f"When was the Holdis of the papers on {X} sold?",
            Solved(Label.ANSWER, year(1948)),
        ),
        (
            f"Ms {ADA}, who handles the bills for {X}, was given a green tank for keeping fish by Orla Kest and a "
            "green tank from a toy army by Dramo Kelt.",
            f"By whom was the green tank given to Ms {ADA}, who handles the bills for {X}?",
            Solved(Label.AMBIGUOUS),
        ),
        (
            f"Ms {ADA}, who handles the bills for {X}, was given a green tank for keeping fish by Orla Kest and a "
            "white tank from a toy army by Dramo Kelt.",
            f"By whom was the green tank given to Ms {ADA}, who handles the bills for {X}?",
            Solved(Label.ANSWER, person("Orla Kest")),
        ),
        (
            f"The rumours about {X} did not bring about the inquiry; it was the inquiry that caused them, 9 weeks "
            "after it began.",
            f"How many weeks passed before the rumours about {X}, winner of the Nambum Prize, led to the inquiry?",
            Solved(Label.FALSE_PREMISE),
        ),
    ],
)
def test_text_and_question_have_the_label_that_their_words_give(text: str, question: str, solved: Solved) -> None:
    assert derive("clinics", [text], question) == solved


def test_no_macro_and_no_matter_has_the_name_of_another() -> None:
    # of two keys alike the loader would keep the last
    text = (files("refusalbench_tasks.worlds") / "reader" / "affairs.yaml").read_text(encoding="utf-8")
    root = yaml.compose(text, yaml.CSafeLoader)
    assert root is not None
    for part in (root, *(value for key, value in root.value if key.value == "macros")):
        names = [key.value for key, _ in part.value]
        assert [name for name, times in Counter(names).items() if times > 1] == []


def test_every_frame_names_what_it_fills_in() -> None:
    for use in ("text", "ask"):
        for frame in frames(use):
            groups = set(frame.pattern.groupindex)
            entry = frame.entry
            slots = (
                [entry["of"][0]] if use == "ask" else [one for triple in entry.get("say", ()) for one in triple[::2]]
            )
            slots += entry.get("deny", [])[:1] + entry.get("call", []) + entry.get("pair", [])
            named = {part.strip().split(" ")[0] for slot in slots for part in slot.split("|")}
            assert {one for one in named if one[0] != "P"} <= groups, frame.pattern.pattern


def test_what_somebody_does_for_a_thing_is_idle_only_if_it_is_the_work_of_an_office() -> None:
    question = "When was Tarvo Pharmacy opened?"
    company = read_row("shops", ["Lumra Tavost orders the stationery for Tarvo Pharmacy."], question).statements
    assert list(company) == []
    bought = read_row("shops", ["Lumra Tavost orders the goods for Tarvo Pharmacy."], question).statements
    assert [one.subject for one in bought if isinstance(one, Fact)] == ["Tarvo Pharmacy"]
