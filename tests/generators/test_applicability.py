"""Which properties a base question has, labelled by hand, and which levers it can take."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.applicability import RULES, applicable, properties_of, unmet
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.needs import Need
from refusalbench_tasks.taxonomy import Label

LEVERS = {lever.name: lever for lever in bundled_levers()}
FERRY = (
    "The Skarn ferry links Nordby with Stavre. The crossing takes 25 minutes. Captain Ines Rolt has run her since 2015."
)
TRIAL = (
    "In May 1957 Anton Greve stood trial for arson. After four hours the jury found Greve not guilty, and he went home."
)
MILL = "The Ombersea mill (a listed building) was built by the miller Jory Pell in June 1874. It has red sails."
CASES = [
    (Need.NAMED_SUBJECT, True, "how long is the skarn ferry", "96 metres", "The Skarn ferry is 96 metres long."),
    (Need.NAMED_SUBJECT, False, "how long is it", "96 metres", "The ferry is 96 metres long."),
    (Need.PERSON, True, "Who commands the ferry?", "Ines Rolt", FERRY),
    (Need.PERSON, False, "Which firm built it?", "Tarn Robotics", "The robot was built by Tarn Robotics in 2022."),
    (Need.PERSON, False, "Which boat is used?", "Alma Grieg", "The present vessel, the Alma Grieg, carries 60 cars."),
    (Need.PERSON_SUBJECT, True, "what was the verdict in the trial of anton greve", "not guilty", TRIAL),
    (Need.PERSON_SUBJECT, False, "How long does the Skarn ferry take?", "25 minutes", FERRY),
    (Need.NAME_REPEATED, True, "What was the verdict on Anton Greve?", "not guilty", TRIAL),
    (Need.NAME_REPEATED, False, "How long does the Skarn ferry take?", "25 minutes", FERRY),
    (Need.BYSTANDER, True, "How long does the Skarn ferry take?", "25 minutes", FERRY),
    (Need.BYSTANDER, False, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.BRACKET, True, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.BRACKET, False, "Who built it?", "Jory Pell", "The miller (Jory Pell) built it."),
    (Need.COLOUR, True, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.COLOUR, False, "What colour are the sails?", "red", MILL),
    (Need.MONTH_OF_YEAR, True, "When was the Ombersea mill built?", "1874", MILL),
    (Need.MONTH_OF_YEAR, False, "When was it built?", "1874", "It was built in 1874."),
    (Need.DATED_EVENT, True, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.DATED_EVENT, False, "When was the Ombersea mill built?", "1874", MILL),
    (Need.SIDE_NUMBER, True, "How many won?", "7", "Of 64 entrants 7 won."),
    (Need.SIDE_NUMBER, False, "How many won in 1984?", "7", "In 1984 only 7 won."),
    (Need.PRECISE_SIDE_NUMBER, True, "Who won?", "Pell", "Pell won by 2.75 seconds."),
    (Need.PRECISE_SIDE_NUMBER, False, "Who won?", "Pell", "Pell won by 20 metres."),
    (Need.EXAMPLE, True, "What must it be?", "cold", "Dishes must be cold, for example soup."),
    (Need.EXAMPLE, False, "What must it be?", "cold", "Dishes must be cold."),
    (Need.OPENER, True, "Who won?", "Pell", "As everybody had expected, Pell won the race."),
    (Need.OPENER, False, "When did Pell win?", "7 May", "On 7 May, after a wet night, Pell won."),
    (Need.DOUBLET, True, "Why is it closed?", "rocks", "The path is closed and shut because of rocks."),
    (Need.CAUSE, True, "Why is it closed?", "rocks", "The path is closed because of rocks."),
    (Need.CAUSE, False, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.PRICE, True, "Who bought it?", "a dentist", "A dentist bought it for 86,000 crowns."),
    (Need.PRICE, False, "Who bought it?", "a dentist", "A dentist bought it in 2011."),
    (Need.PLACE, True, "How long does the Skarn ferry take?", "25 minutes", "It runs from Nordby twice a day."),
    (Need.PLACE, False, "Who won?", "Ines Rolt", "It was won by the pilot Ines Rolt."),
    (Need.PLACE_SUBJECT, True, "which river flows through dunvarra", "the Lisk", "In Dunvarra the Lisk is wide."),
    (Need.PLACE_SUBJECT, False, "What was the verdict on Anton Greve?", "not guilty", TRIAL),
    (Need.LIVING_PERSON, True, "How long does the Skarn ferry take?", "25 minutes", FERRY),
    (Need.LIVING_PERSON, False, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.IN_OFFICE, True, "How long does the Skarn ferry take?", "25 minutes", FERRY),
    (Need.IN_OFFICE, False, "What was the verdict on Anton Greve?", "not guilty", TRIAL),
    (Need.OBJECT, True, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.OBJECT, False, "What was the verdict on Anton Greve?", "not guilty", TRIAL),
    (Need.ORGANISM, True, "How many eggs does the reed pipit lay?", "four", "It lays four eggs."),
    (Need.ORGANISM, False, "How long does the Skarn ferry take?", "25 minutes", FERRY),
    (Need.ASKS_GENERAL, True, "How many eggs does the reed pipit lay?", "four", "It lays four eggs."),
    (Need.ASKS_GENERAL, False, "How many eggs did Greve eat?", "four", "He ate four eggs."),
    (Need.ASKS_GENERAL, False, "How do the two stones compare?", "2 kg heavier", "One is 2 kg heavier."),
    (Need.ASKS_RULE, True, "How long may a boat moor?", "48 hours", "A boat may moor for 48 hours."),
    (Need.ASKS_RULE, False, "who died in may 1957", "Pell", "Pell died in May 1957."),
    (Need.ASKS_CAUSE, True, "What set the kiln on fire?", "a bearing", "A bearing set it on fire."),
    (Need.ASKS_CAUSE, False, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.ASKS_OUTCOME, True, "What was the verdict on Anton Greve?", "not guilty", TRIAL),
    (Need.ASKS_OUTCOME, False, "When was the verdict given?", "1957", TRIAL),
    (Need.ASKS_AREA, True, "In which country was she born?", "Tarvonia", "She was born in Tarvonia."),
    (Need.ASKS_AREA, False, "In which village was she born?", "Holm", "She was born in Holm."),
    (Need.ASKS_LIST, True, "What has it?", "a burr, a crank and a hopper", "It has a burr, a crank and a hopper."),
    (Need.ASKS_LIST, False, "Who built the Ombersea mill?", "Jory Pell", MILL),
    (Need.ASKS_UNROUND, True, "How many plates are there?", "6,418", "There are 6,418 plates."),
    (Need.ASKS_UNROUND, False, "How many plates are there?", "6,000", "There are 6,000 plates."),
    (Need.ASKS_TOTAL, True, "How many tins were collected?", "1,140", "They collected 1,140 tins."),
    (Need.ASKS_TOTAL, False, "How long may a boat moor?", "48 hours", "A boat may moor for 48 hours."),
    (Need.VARYING, True, "Who runs it?", "volunteers", "It had 61,300 visitors last year."),
    (Need.VARYING, False, "Who runs it?", "volunteers", "Visitors like it."),
    (Need.VERSIONS, True, "How many plates has it?", "212", "Every copy contains 212 plates."),
    (Need.VERSIONS, False, "How many patients were there?", "312", "It enrolled 312 patients, all of them adults."),
]  # fmt: skip


def base_of(question: str, answer: str, passage: str) -> RefusalItem:
    return RefusalItem(
        item_id="x", source_id="x", query=question, passages=(passage,), answers=(answer,), expected=Label.ANSWER
    )


@pytest.mark.parametrize(("need", "expected", "question", "answer", "passage"), CASES)
def test_a_property_of_a_base(need: Need, expected: bool, question: str, answer: str, passage: str) -> None:
    assert (need in properties_of(base_of(question, answer, passage))) is expected


def test_every_need_has_a_rule_and_every_rule_serves_a_lever() -> None:
    groups = (need if isinstance(need, tuple) else (need,) for lever in LEVERS.values() for need in lever.needs)
    assert set(RULES) == set(Need) == {need for group in groups for need in group}


def test_what_is_unmet_is_named_and_of_an_inner_list_one_is_enough() -> None:
    mill = base_of("Who built the Ombersea mill?", "Jory Pell", MILL)
    assert applicable(LEVERS["Parenthetical Excise"], mill) == ()
    assert applicable(LEVERS["Remove City Phrase"], mill) == ("asks_area",)
    assert applicable(LEVERS["Dual-eligible Pronoun"], mill) == ()
    assert unmet(LEVERS["Dual-eligible Pronoun"], frozenset()) == ("asks_person or person_subject",)


def test_of_several_passages_only_those_that_bear_on_the_question_count() -> None:
    passages = ("The toll is six crowns.", "A red kite (a bird) nests on the mast.")
    base = RefusalItem(
        item_id="x", source_id="x", query="What is the toll?", passages=passages, signal=(0,), answers=("six crowns",),
        expected=Label.ANSWER,
    )  # fmt: skip
    assert not properties_of(base) & {Need.BRACKET, Need.COLOUR}
    assert properties_of(base.model_copy(update={"signal": (0, 1)})) >= {Need.BRACKET, Need.COLOUR}


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1), st.text(max_size=60), st.text(min_size=1))
def test_no_text_breaks_it(question: str, answer: str, passage: str) -> None:
    base = RefusalItem.model_construct(
        item_id="x", source_id="x", query=question, passages=(passage,), answers=(answer,), expected=Label.ANSWER,
        reference="", signal=(),
    )  # fmt: skip
    assert properties_of(base) <= set(Need)
