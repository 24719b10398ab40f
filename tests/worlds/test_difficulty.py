"""How hard a row is: every knob worked by hand, and their bounds in all domains and registers."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block, Sentence, block
from refusalbench_tasks.worlds.difficulty import knobs
from refusalbench_tasks.worlds.pack import DOMAINS, pack
from refusalbench_tasks.worlds.passage import REGISTERS, entry, line, passage
from refusalbench_tasks.worlds.quad import Cell, Quad, make_quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.shown import shown
from refusalbench_tasks.worlds.statement import Alias, Fact, Part
from refusalbench_tasks.worlds.text import Text
from refusalbench_tasks.worlds.turn import due
from refusalbench_tasks.worlds.values import Value


def look_ups() -> Iterator[Quad]:
    """Yield quads of the questions that can describe their thing and compare it with others."""
    return (make_quad(5, index) for index in range(600) if due(index).scenario == "value")


def fact(subject: str, relation: str, number: int) -> Fact:
    return Fact(subject, relation, Value("year", number))


def plain(text: str, said: Fact, row: tuple[str, str, str] | None = None) -> Block:
    return Block((Sentence(text, (said,)),), row)


OPENED = plain("The Owl Inn opened in 1901.", fact("the Owl Inn", "opened", 1901), ("the Owl Inn", "year", "1901"))
FOX = plain("The Fox Inn opened in 1950.", fact("the Fox Inn", "opened", 1950), ("the Fox Inn", "year", "1950"))
ELM = plain("The Elm Inn opened in 1970.", fact("the Elm Inn", "opened", 1970))
SOLD = plain("Since 1920 it has been sold.", fact("the Owl Inn", "sold", 1920))
SNOW = block("Snow may lie until May.")
ASK = Ask("value", "opened", ("the Owl Inn",))


def of(question: str, ask: Ask, blocks: list[Block], text: str | None = None, hops: int = 1) -> dict[str, Any]:
    """Return the knobs of a row of this question, beside blocks that stand as one paragraph or as a text."""
    right = text if text is not None else " ".join(one.text for each in blocks for one in each.sentences)
    told = Text(right, tuple(said for each in blocks for said in each.statements), tuple(blocks))
    quad = first_quads("clinics")[0]
    cell = replace(quad.cells[0], question=Question(question, ask), text=told)
    return knobs(replace(quad, hops=hops, register="memo"), cell)


@cache
def first_quads(domain: str) -> tuple[Quad, ...]:
    return tuple(make_quad(88, index, (domain,)) for index in range(4))


def test_words_between_the_first_and_the_last_bearing_sentence_are_the_distance() -> None:
    # behind "... 1901." and before "Since": "The Fox Inn opened in 1950. Snow may lie until May." has 6 + 5 words
    found = of("When did the Owl Inn open?", ASK, [OPENED, FOX, SNOW, SOLD])
    assert found["distance"] == 11
    # 6 + 6 + 5 + 6
    assert found["words"] == 23


def test_neighbours_are_at_no_distance_and_a_single_sentence_has_none() -> None:
    assert of("When did the Owl Inn open?", ASK, [FOX, OPENED, SOLD])["distance"] == 0
    assert "distance" not in of("When did the Owl Inn open?", ASK, [FOX, OPENED, SNOW])


def test_a_sentence_that_states_something_of_the_thing_by_a_pronoun_bears() -> None:
    # FOX and ELM state something else, SNOW states nothing, SOLD is of the Owl Inn
    assert of("When did the Owl Inn open?", ASK, [OPENED, FOX, SNOW, ELM, SOLD])["distractors"] == 2


def test_overlap_is_the_share_of_the_words_of_the_question_but_for_names() -> None:
    # in, may, when, did, open, beside the name: "The Owl Inn opened in 1901." has "in"; "may" stands elsewhere
    assert of("In May, when did the Owl Inn open?", ASK, [OPENED, SNOW])["overlap"] == 0.2
    # opened, in: both do, and the words of the name, "the" too, count neither as asked nor as said
    assert of("Opened in the Owl Inn?", ASK, [OPENED, SNOW])["overlap"] == 1.0


def test_without_a_bearing_sentence_or_a_word_there_is_no_overlap() -> None:
    nothing = of("When did the Owl Inn open?", ASK, [FOX, SNOW])
    assert "overlap" not in nothing
    assert "distance" not in nothing
    assert nothing["distractors"] == 1
    assert "overlap" not in of("The Owl Inn?", ASK, [OPENED])


def test_a_described_thing_is_found_by_the_fact_that_describes_it() -> None:
    ask = Ask("value", "opened", (), via=("sold", Value("year", 1920)))
    found = of("When did the inn sold in 1920 open?", ask, [OPENED, FOX, SOLD], hops=2)
    # OPENED and SOLD bear, FOX with its 6 words stands between them
    assert (found["hops"], found["distance"], found["distractors"]) == (2, 6, 1)
    # of when, did, the, inn, sold, in, open the name takes the and inn; of the others, sold and in are said
    assert found["overlap"] == 0.4


def test_a_name_is_found_in_its_sentence_whatever_its_first_letter_and_not_within_another() -> None:
    longer = plain("The Owl Innkeepers met in 1930.", fact("the Owl Innkeepers", "met", 1930))
    found = of("When did the Owl Inn open?", ASK, [OPENED, longer, block("Of the Owl Inn much was said.")])
    # the two that bear are those of the Owl Inn, and "The Owl Innkeepers met in 1930." has 6 words
    assert (found["distance"], found["distractors"]) == (6, 1)


def test_the_parts_of_a_whole_bear_on_a_question_about_all_of_them() -> None:
    parts = block("The Fox Inn is an inn of Gall Glen.", Part("the Fox Inn", "Gall Glen"))
    total = of("What is the total?", Ask("total", "opened", ("Gall Glen",)), [parts, SNOW, FOX, ELM])
    # FOX bears for it is of a part: SNOW with 5 words stands between, ELM is left
    assert (total["distance"], total["distractors"]) == (5, 1)
    assert "distance" not in of("What?", Ask("value", "opened", ("Gall Glen",)), [parts, SNOW, FOX, ELM])


def test_another_name_of_the_thing_is_a_name_of_it() -> None:
    same = block("The Owl Inn is called Hooters.", Alias("Hooters", "the Owl Inn"))
    later = plain("In 1920 Hooters was sold.", fact("Hooters", "sold", 1920))
    assert of("When did the Owl Inn open?", ASK, [same, SNOW, later])["distance"] == 5


def test_a_row_of_a_table_is_a_sentence_where_it_stands() -> None:
    text = passage([OPENED, SNOW, FOX], "table", pack("inns"), Random(124))
    # both facts have gone into the table at the end
    assert text == (
        "Snow may lie until May.\n\n| Written | Point | Finding |\n|---|-----|----|\n"
        "| the Owl Inn | year | 1901 |\n| the Fox Inn | year | 1950 |"
    )
    found = of("Which year is that of the Owl Inn?", ASK, [OPENED, SNOW, FOX], text)
    # 5 + 3 of the head + 5 + 5; the marks of the table are no words
    assert (found["words"], found["distractors"]) == (18, 1)
    # which, year, is, that, of, and the row has "year"
    assert found["overlap"] == 0.2
    both = [OPENED, SNOW, FOX, SOLD]
    told = "Snow may lie until May. Since 1920 it has been sold.\n\n| Name | Entry | Value |\n|---|---|---|\n"
    rows = told + "| the Fox Inn | year | 1950 |\n| the Owl Inn | year | 1901 |"
    # behind "sold.": Name Entry Value, the Fox Inn year 1950
    assert of("Which year is that of the Owl Inn?", ASK, both, rows)["distance"] == 8


def test_a_question_with_its_answer_is_a_sentence() -> None:
    asked = "Q: What is the year of the Owl Inn?\nA: 1901.\n\nQ: The Fox Inn: what is the year?\nA: 1950."
    text = f"Snow may lie until May.\n\n{asked}\n\nSince 1920 it has been sold."
    found = of("What is the year of the Owl Inn?", ASK, [SNOW, OPENED, FOX, SOLD], text)
    # "Q: The Fox Inn: what is the year? A: 1950." has 10 words
    assert (found["distance"], found["distractors"]) == (10, 1)
    # what, is, year, of: all stand in the bearing pair
    assert found["overlap"] == 1.0


def test_a_sentence_that_the_text_does_not_show_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not show 'The Fox Inn opened in 1950.'"):
        of("When?", ASK, [OPENED, FOX], "The Owl Inn opened in 1901.")


def test_a_sentence_within_another_one_has_its_own_place() -> None:
    longer = block("It is said: Snow may lie until May.")
    text = "It is said: Snow may lie until May. Snow may lie until May."
    assert [(one.start, one.stop) for one in shown(text, [SNOW, longer])] == [(0, 35), (36, 59)]


@pytest.mark.parametrize("operator, subjects, hops", [("value", 1, 1), ("compare", 2, 2), ("highest", 3, 3)])
def test_hops_are_the_facts_that_an_answer_needs(operator: str, subjects: int, hops: int) -> None:
    asked = ((one, one.cells[0].question.ask) for one in look_ups())
    found = next(one for one, ask in asked if ask.operator == operator and ask.via is None)
    assert len(found.cells[0].question.ask.subjects) == subjects
    assert {knobs(found, cell)["hops"] for cell in found.cells} == {hops}


def in_register(quad: Quad, cell: Cell, register: str) -> dict[str, Any]:
    text = passage(cell.text.blocks, register, pack(quad.domain), Random(quad.index))
    return knobs(replace(quad, register=register), replace(cell, text=replace(cell.text, text=text)))


@pytest.mark.parametrize("domain", DOMAINS)
def test_knobs_are_within_their_bounds_in_every_register(domain: str) -> None:
    for quad in first_quads(domain):
        for register in REGISTERS:
            for cell in quad.cells:
                found = in_register(quad, cell, register)
                assert found["register"] == register
                assert 1 <= found["hops"] <= 3
                assert found["distractors"] >= 0
                assert 0 <= found.get("distance", 0) < found["words"]
                assert 0 <= found.get("overlap", 0) <= 1
                if cell.solved.label is Label.ANSWER and cell.lever.scenario != "told":
                    assert "overlap" in found


@pytest.mark.parametrize("register", REGISTERS)
def test_a_register_changes_neither_the_distractors_nor_what_bears(register: str) -> None:
    for quad in first_quads("museums"):
        for cell in quad.cells:
            plainly, found = in_register(quad, cell, "encyclopaedia"), in_register(quad, cell, register)
            assert found["distractors"] == plainly["distractors"]
            assert ("distance" in found) == ("distance" in plainly)


def test_a_described_thing_bears_as_a_named_one_does() -> None:
    for quad in islice((one for one in look_ups() if one.cells[0].question.ask.via), 4):
        for cell in quad.cells:
            assert {"distance", "overlap"} <= knobs(quad, cell).keys()
            assert knobs(quad, cell)["overlap"] > 0


def test_the_forms_of_a_plain_fact() -> None:
    assert entry(OPENED) == "Q: What is the year of the Owl Inn?\nA: 1901."
    assert line(OPENED) == "| the Owl Inn | year | 1901 |"
    kept = Fact("the Owl Inn", "keeper", Value("person", "Theda Grisk"))
    keeper = plain("Theda Grisk keeps the Owl Inn.", kept, ("the Owl Inn", "keeper", "Theda Grisk"))
    assert entry(keeper) == "Q: For the Owl Inn, who is the keeper?\nA: Theda Grisk."
