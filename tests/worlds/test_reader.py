"""The reader of worlds: what sentences state and questions ask, and that it shares nothing with what writes them."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from refusalbench_tasks.taxonomy import CLASSES, Label, PerturbationClass
from refusalbench_tasks.worlds import reader
from refusalbench_tasks.worlds.pack import EVERYDAY as DOMAINS
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.proof import Disagreement, Unread, prove
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader import Unreadable, derive, read_row
from refusalbench_tasks.worlds.reader.layout import sentences
from refusalbench_tasks.worlds.reader.lexicon import lexicon
from refusalbench_tasks.worlds.solve import Solved
from refusalbench_tasks.worlds.statement import Denial, Fact, Statement
from refusalbench_tasks.worlds.turn import due
from refusalbench_tasks.worlds.values import Value

QUADS = 14
"""Quads of a class that are read."""
MAY_IMPORT = {"values", "statement", "query", "solve", "reader"}
X = "Zorbel Clinic"
Y = "Wanick Surgery"
QUESTION = f"When was {X} opened?"


def stated(text: str, domain: str = "clinics") -> list[Statement]:
    return list(read_row(domain, [text], "Who heads Zorbel Clinic?" if domain == "clinics" else "x").statements)


def asked(question: str) -> Ask:
    return read_row("clinics", [], question).ask


def year(number: int) -> Value:
    return Value("year", number)


def test_the_reader_imports_nothing_that_writes() -> None:
    root = Path(reader.__file__).parent
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            rooms = {name.split(".")[2] for name in names if name.startswith("refusalbench_tasks.worlds.")}
            assert rooms <= MAY_IMPORT, f"{path.name} imports {rooms - MAY_IMPORT}"
            assert "refusalbench_tasks.worlds" not in names


@pytest.mark.parametrize("domain", DOMAINS)
def test_its_own_ontology_is_that_of_the_pack(domain: str) -> None:
    assert lexicon(domain).ontology == pack(domain).ontology


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (f"{X} opened in 1957.", Fact(X, "opened", year(1957))),
        # none of the three is a sentence of the packs
        (f"It was 1957 before {X} opened its doors at last.", Fact(X, "opened", year(1957))),
        (
            f"Whoever wants to register must hand over 1,250 crowns at {X}.",
            Fact(X, "fee", Value("money", 1250, "crowns")),
        ),
        (f"Lumra Tavost is the doctor in charge at {X}.", Fact(X, "head", Value("person", "Lumra Tavost"))),
        (f"The garden of {X} is 450 centimetres long.", Fact(X, "garden", Value("measure", 4.5, "metres"))),
        (f"{X} was licensed on 4 March 1987.", Fact(X, "licensed", Value("date", "1987-03-04"))),
        (f"{X} closes at 17:30.", Fact(X, "closing", Value("time", "17:30"))),
        (f"At {X}, dogs are forbidden.", Fact(X, "dogs", Value("flag", False))),
        (f"Dogs are not forbidden at {X}.", Fact(X, "dogs", Value("flag", True))),
        (f"{X} has about 20 beds.", Fact(X, "beds", Value("count", 20), about=True)),
    ],
)
def test_a_sentence_states_its_fact(text: str, fact: Fact) -> None:
    assert stated(text) == [fact]


@pytest.mark.parametrize(
    ("lead", "rank"), [("According to the district register,", 2), ("According to a rumour at the bakery,", 0)]
)
def test_a_source_has_its_rank(lead: str, rank: int) -> None:
    fact = stated(f"{lead} the year of opening of {X} is 1957.")[0]
    assert isinstance(fact, Fact)
    assert (fact.value, fact.rank) == (year(1957), rank)


def test_an_unknown_source_is_not_taken_for_the_text_itself() -> None:
    with pytest.raises(Unreadable, match="source"):
        stated(f"According to a passing sailor, the year of opening of {X} is 1957.")


@pytest.mark.parametrize("text", [f"{X} has never been rebuilt.", f"There was no rebuilding of {X}."])
def test_never_is_a_denial(text: str) -> None:
    assert stated(text) == [Denial(X, "rebuilt")]


@pytest.mark.parametrize(
    "text",
    [
        f"The registration fee of {X} is not made public.",
        f"{X} was licensed without any conditions.",
        f"{X} opened with a small ceremony.",
        "Please bring something to read.",
    ],
)
def test_a_sentence_without_a_value_states_nothing(text: str) -> None:
    assert stated(text) == []


def test_a_pronoun_stands_for_the_thing_of_the_sentence_before() -> None:
    assert stated(f"{X} has 20 beds. It opened in 1957.")[1] == Fact(X, "opened", year(1957))


def test_a_pronoun_after_an_idle_sentence_stands_for_nothing() -> None:
    with pytest.raises(Unreadable, match="no thing is named"):
        stated(f"{X} has 20 beds. A map hangs on the wall. It opened in 1957.")


@pytest.mark.parametrize(
    "text",
    [
        f"{X} lost 14 umbrellas.",
        f"{X} opened in 1957 with 12 speeches.",
        f"{X} opened in 1957 and 1958.",
        f"{X} and {Y} opened in 1957.",
        f"{X} did not open in 1957.",
        "The year of opening is 1957.",
        f"{X} is loved by Lumra Tavost.",
    ],
)
def test_what_it_cannot_read_is_an_error_and_never_skipped(text: str) -> None:
    with pytest.raises(Unreadable):
        stated(text)


def test_every_register_comes_down_to_sentences() -> None:
    passage = (
        "MEMO\nSubject: rooms\n\n- First. Second.\n(a) Third.\n> Fourth by Dr Tavost.\n\n"
        "Q: What is it?\nA: 12 crowns.\n\n"
        "| Name | Entry | Value |\n|---|---|---|\n| Zorbel Clinic | opening year | 1957 |\n\n"
        "Kind regards"
    )
    assert sentences(passage) == [
        "First.",
        "Second.",
        "Third.",
        "Fourth by Dr Tavost.",
        "What is it?\t12 crowns.",
        "The opening year of Zorbel Clinic is 1957.",
    ]


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        (QUESTION, Ask("value", "opened", (X,))),
        (f"Which has the later year of opening, {X} or {Y}?", Ask("compare", "opened", (X, Y))),
        (f"By how much does the year of opening of {X} differ from that of {Y}?", Ask("difference", "opened", (X, Y))),
        (f"What is the sum of the registration fee of {X} and that of {Y}?", Ask("sum", "fee", (X, Y))),
        (f"Is the number of beds of {X} at least 30?", Ask("at_least", "beds", (X,), limit=Value("count", 30))),
        (
            "When was the clinic that Lumra Tavost runs opened?",
            Ask("value", "opened", (), via=("head", Value("person", "Lumra Tavost"))),
        ),
    ],
)
def test_a_question_has_its_logical_form(question: str, ask: Ask) -> None:
    assert asked(question) == ask


def test_two_official_sources_that_differ_leave_no_answer() -> None:
    text = (
        f"According to the district register, the year of opening of {X} is 1957. "
        f"The official gazette gives 1961 as the year of opening of {X}."
    )
    assert derive("clinics", [text], QUESTION) == Solved(Label.CONTRADICTORY)
    assert derive("clinics", [text.replace("The official gazette", "An unsigned leaflet")], QUESTION) == Solved(
        Label.ANSWER, year(1957)
    )


@pytest.mark.parametrize("of", CLASSES)
def test_rows_of_every_class_are_proven(of: PerturbationClass) -> None:
    unread: list[str] = []
    indices = [index for index in range(30 * len(CLASSES)) if due(index).perturbation is of][:QUADS]
    for index in indices:
        try:
            prove(make_quad(2024, index))
        except Unread as error:
            # any other disagreement is one too many, and is raised
            unread.append(str(error))
    assert len(indices) == QUADS
    assert len(unread) <= 0.02 * QUADS, "\n".join(unread)


def test_a_deed_in_one_passage_and_who_cannot_have_done_it_in_another_belong_together() -> None:
    deeds = (
        "Miller Vask was saved from the flood by Sexton Orl.",
        "Sexton Orl was saved from the flood by Miller Vask.",
    )
    bank = "Of Miller Vask and Sexton Orl, one stood safely on the bank all the time."
    asked = "By whom was Miller Vask saved from the flood?"
    for passages in ([" ".join((*deeds, bank))], [*deeds, bank], [bank, *deeds]):
        assert derive("chronicles", passages, asked).label is Label.CONTRADICTORY


def test_a_condition_in_one_passage_is_met_in_another() -> None:
    rule = f"The registration fee of {X} is 12 crowns if and only if the card of {X} is marked with a star."
    met = f"It has been checked that the card of {X} is marked with a star."
    asked = f"What is the registration fee of {X}?"
    due_fee = Solved(Label.ANSWER, Value("money", 12, "crowns"))
    for passages in ([f"{rule} {met}"], [rule, met], [met, rule]):
        assert derive("clinics", passages, asked) == due_fee


def test_a_wrong_value_in_the_text_is_a_disagreement() -> None:
    faulty = 0
    for index in [one for one in range(600) if due(one).perturbation is PerturbationClass.MISSING_INFO][:60]:
        quad = make_quad(5, index, ("clinics",))
        cell = quad.cells[0]
        if cell.question.ask.operator != "value" or cell.solved.answer is None or cell.solved.answer.type != "year":
            continue
        wrong = cell.text.text.replace(str(cell.solved.answer), "1899")
        object.__setattr__(cell, "text", replace(cell.text, text=wrong))
        with pytest.raises(Disagreement, match=f"quad {index} of seed 5, cell 0"):
            prove(quad)
        faulty += 1
    assert faulty > 2


def test_how_precise_an_answer_is_wanted_is_no_part_of_what_is_asked() -> None:
    asked = read_row("shops", [], "To the minute, until what time can customers shop at Kravesk Grocery?").ask
    assert (asked.operator, asked.relation) == ("value", "closing")
