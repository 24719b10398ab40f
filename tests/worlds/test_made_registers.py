"""Letters, tables and lists of questions in all their wordings: the reader makes nothing of their form."""

from itertools import product
from random import Random

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.block import Block, Sentence, block
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.operations.creeds import creeds
from refusalbench_tasks.worlds.pack import DOMAINS, EVERYDAY, pack
from refusalbench_tasks.worlds.passage import QUESTIONS, ROWS, line, passage, wording
from refusalbench_tasks.worlds.reader import Unreadable, derive
from refusalbench_tasks.worlds.reader.layout import sentences
from refusalbench_tasks.worlds.reader.lexicon import lexicon
from refusalbench_tasks.worlds.reader.text import read_text
from refusalbench_tasks.worlds.scene import new_scene
from refusalbench_tasks.worlds.shown import shown
from refusalbench_tasks.worlds.solve import Solved
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill, variants
from refusalbench_tasks.worlds.values import Value
from tests.worlds.stage import some


@pytest.mark.parametrize("part", ["greetings", "closings", "memos", "quoted", "openers"])
def test_what_belongs_to_the_form_is_no_sentence(part: str) -> None:
    lines = [fill(one, {}) for pattern in wording(part) for one in variants(pattern)]
    assert {one: sentences(f"{one}\nIt snowed.") for one in lines if sentences(f"{one}\nIt snowed.")[1:]} == {}


def test_the_subject_of_a_memo_is_no_sentence() -> None:
    subjects = [one for pattern in wording("subjects") for one in variants(pattern)]
    lines = [f"{label}: {about}" for label in wording("labels") for about in subjects]
    assert sentences("\n".join(lines)) == []


@pytest.mark.parametrize("entry", ["Entry", "Item", "Field", "Heading", "Point", "Particular", "Detail"])
def test_a_table_may_have_any_heads(entry: str) -> None:
    text = f"| Listed under | {entry} | On file |\n|---|---|---|\n| Zorbel Clinic | opening year | 1957 |"
    assert derive("clinics", [text], "When was Zorbel Clinic opened?").answer == Value("year", 1957)


@pytest.mark.parametrize(
    "row", [form.format(name="Zorbel Clinic", entry="opening year", value="1957") for form in ROWS[1:]]
)
def test_a_table_may_do_without_a_grid(row: str) -> None:
    assert derive("clinics", [row], "When was Zorbel Clinic opened?").answer == Value("year", 1957)


@pytest.mark.parametrize(
    "swapped",
    [
        "Zorbel Clinic — 1957: opening year",
        "Zorbel Clinic (1957): opening year",
        "Zorbel Clinic: 1957 = opening year",
        "Zorbel Clinic / 1957 / opening year",
        "Zorbel Clinic; 1957; opening year",
        "| Name | Entry | Value |\n|---|---|---|\n| Zorbel Clinic | 1957 | opening year |",
    ],
)
def test_a_number_is_no_entry_of_a_table(swapped: str) -> None:
    with pytest.raises(Unreadable, match="no entry"):
        sentences(swapped)


@pytest.mark.parametrize("form", QUESTIONS)
def test_a_question_and_its_answer_may_be_set_off_in_any_form(form: str) -> None:
    told = form.format(question="Who heads Zorbel Clinic?", answer="Lumra Tavost")
    assert sentences(f"It snowed.\n\n{told}\n\nIt rained.") == [
        "It snowed.",
        "Who heads Zorbel Clinic?\tLumra Tavost.",
        "It rained.",
    ]


@pytest.mark.parametrize("form", ROWS)
def test_a_row_in_any_form_is_found_where_it_stands(form: str) -> None:
    fact = Sentence("The Owl Inn opened in 1901.", (Fact("the Owl Inn", "opened", Value("year", 1901)),))
    plain = Block((fact,), ("the Owl Inn", "opening year", "1901"))
    text = f"It snowed.\n\n{line(plain, form)}"
    (found,) = shown(text, [plain])
    assert text[found.start : found.stop] == line(plain, form)
    assert sentences(f"| Name | Entry | Value |\n|---|---|---|\n{line(plain, form)}")[-1] == (
        "The opening year of the Owl Inn is 1901."
    )


def test_an_answer_may_begin_with_a_capital() -> None:
    told = "What colour are the shutters of the Owl Inn?\tGreen."
    assert read_text([told], lexicon("inns"), []) == [Fact("the Owl Inn", "shutters", Value("kind", "green"))]


@pytest.mark.parametrize("domain", [*EVERYDAY, "inns"])
def test_a_list_of_questions_may_ask_in_a_relations_own_words(domain: str) -> None:
    of, words = pack(domain), lexicon(domain)
    for relation in (one for one in of.relations if one.type != "flag"):
        scene = new_scene(Random(1), of, relation, Names(Random(2)))
        for asks in relation.asks:
            told = f"{fill(asks, {'S': scene.a})}\t{scene.value(scene.a)}."
            assert read_text([told], words, []) == [Fact(scene.a, relation.name, scene.value(scene.a))], told


@pytest.mark.parametrize("name", creeds())
def test_every_motif_is_one_that_no_text_answers(name: str) -> None:
    for motif in creeds()[name].motifs:
        for tells, asks in product(motif.tells, motif.asks):
            told = fill(tells, {"S": "the Lulmost Inn"})
            found = derive("inns", [told], fill(asks, {"S": "the Lulmost Inn"}))
            assert found == Solved(Label.NONFACTUAL), (told, asks)


@pytest.mark.parametrize("part", ["chat", "session"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_idle_sentences_of_a_register_state_nothing_in_any_domain(part: str, domain: str) -> None:
    words = lexicon(domain)
    texts = [text for pattern in wording(part) for text in some(pattern, 4)]
    assert {text: found for text in texts if (found := read_text([text], words, []))} == {}
    assert [text for text in wording(part) if len(sentences(text)) != 1 or any(one.isdigit() for one in text)] == []


def test_a_table_without_a_plain_fact_is_no_table() -> None:
    assert passage([block("It snowed."), block("It rained.")], "table", pack("clinics"), Random(1)) == (
        "It snowed. It rained."
    )
