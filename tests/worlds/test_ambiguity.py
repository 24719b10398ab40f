"""Levers of P-Ambiguity: the text leaves one thing open and settles the other."""

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.solve import Impure, Ontology, Solved, solve
from refusalbench_tasks.worlds.statement import Denial, Either, Fact
from refusalbench_tasks.worlds.values import Value
from tests.worlds.quads import hard_levers, low_pairs, quads_of
from tests.worlds.stage import told

HARD = hard_levers("P-Ambiguity")
SEEDS = 20


@pytest.mark.parametrize("lever", HARD, ids=lambda one: f"{one.name}, {one.scenario}")
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.AMBIGUOUS, Label.AMBIGUOUS, Label.ANSWER]
        for first, second in (quad.cells[:2], quad.cells[2:]):
            assert first.question == second.question


@pytest.mark.parametrize(("soft", "hard"), low_pairs("P-Ambiguity"), ids=lambda one: one.name)
def test_a_low_lever_leaves_one_answer(soft: Lever, hard: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(hard, SEEDS, monkeypatch, soft):
        assert {cell.lever.name for cell in (quad.cells[0], quad.cells[3])} == {soft.name}
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.AMBIGUOUS, Label.AMBIGUOUS, Label.ANSWER]


def test_every_published_lever_is_there() -> None:
    names = {one.name for one in LEVERS if one.perturbation.value == "P-Ambiguity"}
    assert len(names) == 29


PEOPLE = [Value("person", name) for name in ("Ed Lark", "Flo Wend", "Gus Orr")]
YEARS = [Value("year", year) for year in (1999, 2004, 2010)]
COUNTS = [Value("count", number) for number in (30, 12, 50)]
KEEPER = "Ms Ada Moll, who keeps the files on Tarn Clinic"
WORKED = {
    ("Balanced Polysemy", "Dominant-sense Polysemy"): (
        PEOPLE,
        f"Who gave the grey seal to {KEEPER}?",
        "Ms Ada Moll, whom many count on to keep the files on Tarn Clinic, accepted a grey seal stuffed with "
        "straw over tea from Ed Lark and a grey basket from Flo Wend.",
        "Ms Ada Moll, whom many count on to keep the files on Tarn Clinic, was handed a grey seal stuffed "
        "with straw at a picnic by Ed Lark and a grey seal for stamping wax by Flo Wend.",
    ),
    ("Anaphoric 'One' Collision", "Resolvable Appositive Ambiguity"): (
        YEARS,
        f"{KEEPER}, wore out her kettle and her lamp; in which year did she buy a new one?",
        "Half the village calls Ms Ada Moll, who has been sent to keep the files on Tarn Clinic, the Owl. In "
        "1999 the Owl purchased a new kettle, but had the lamp repaired instead of buying another.",
        "Ms Ada Moll, who has been sent to keep the files on Tarn Clinic, purchased a new kettle abroad in "
        "1999 and a new lamp in 2004.",
    ),
    ("Quantifier Phrase Split", "Floating-Quantifier Anchored"): (
        COUNTS,
        "How many pages on Tarn Clinic must a clerk for every district read per week?",
        "Each district has a clerk of its own, and each clerk is to read 30 pages on Tarn Clinic a week; no "
        "clerk looks after more than one district.",
        "Each district has a clerk of its own, who is to read 30 pages on Tarn Clinic a week; one more clerk "
        "looks after every district together and is to read 12.",
    ),
    ("Stacked Quantifier & Negation Tangle", "Scoped Negation with Numeric Disambiguation"): (
        COUNTS,
        "On how many days did every clerk not read all pages on Tarn Clinic?",
        "On 12 days not a single clerk read even one page on Tarn Clinic; on all the rest every clerk read the lot.",
        "On 50 days some clerk skipped some page on Tarn Clinic; on 30 of these each clerk skipped one or "
        "more, and on 12 of those nobody read even one.",
    ),
    ("Nested Garden-path Sentence", "Late-resolving Garden Path"): (
        [],
        "Going by the log, who was to look after the files on Tarn Clinic?",
        "According to the log, the abbot mentioned that the widow reminded the monk she had already chosen to"
        " take care of the files on Tarn Clinic all by herself.",
        "According to the log, the abbot mentioned that the widow reminded the monk she had already chosen to"
        " take care of the files on Tarn Clinic.",
    ),
}


@pytest.mark.parametrize("names", WORKED, ids=lambda names: names[0])
def test_worked_example(names: tuple[str, str]) -> None:
    values, question, answer, defect = WORKED[names]
    assert told("ambiguity", names[0], values, names[1]) == (question, answer, defect)


HERE = Ontology({})
ONE, OTHER = Value("year", 1999), Value("year", 2004)
OPEN = Ask("value", ("lamp", "kettle"), ("A",))


def open_to(*values: Value) -> Either:
    """Return what a sentence says that leaves A's lamp open between values."""
    return Either(tuple((Fact("A", "lamp", value),) for value in values))


def test_readings_of_a_sentence_that_differ_leave_it_open() -> None:
    asked = Ask("value", "lamp", ("A",))
    assert solve([open_to(ONE, OTHER)], asked, HERE) == Solved(Label.AMBIGUOUS)
    assert solve([open_to(ONE, ONE)], asked, HERE) == Solved(Label.ANSWER, ONE)
    # the sentence is about something else
    assert solve([open_to(ONE, OTHER), Fact("A", "hat", ONE)], Ask("value", "hat", ("A",)), HERE).answer == ONE


def test_a_reading_without_an_answer_or_beside_a_contradiction_is_impure() -> None:
    asked = Ask("value", "lamp", ("A",))
    with pytest.raises(Impure, match="only some"):
        solve([Either(((Fact("A", "lamp", ONE),), (Fact("B", "lamp", ONE),)))], asked, HERE)
    with pytest.raises(Impure, match="contradiction and several"):
        solve([open_to(ONE, OTHER), Fact("A", "lamp", Value("year", 1950))], asked, HERE)


def test_facts_of_one_reading_go_together() -> None:
    crossed = Either(
        ((Fact("A", "lamp", ONE), Fact("B", "lamp", OTHER)), (Fact("A", "lamp", OTHER), Fact("B", "lamp", ONE)))
    )
    # whichever it is, they lie five years apart
    found = solve([crossed], Ask("difference", "lamp", ("A", "B")), HERE)
    assert found == Solved(Label.ANSWER, Value("measure", 5, "years"))


def test_an_open_question_means_what_the_text_does_not_deny() -> None:
    lamp, kettle = Fact("A", "lamp", ONE), Fact("A", "kettle", OTHER)
    assert solve([lamp, kettle], OPEN, HERE) == Solved(Label.AMBIGUOUS)
    assert solve([lamp, Fact("A", "kettle", ONE)], OPEN, HERE) == Solved(Label.ANSWER, ONE)
    assert solve([lamp, Denial("A", "kettle")], OPEN, HERE) == Solved(Label.ANSWER, ONE)
    assert solve([Denial("A", "lamp"), Denial("A", "kettle")], OPEN, HERE) == Solved(Label.FALSE_PREMISE)


def test_an_open_question_means_what_the_text_speaks_of() -> None:
    assert solve([Fact("A", "lamp", ONE)], OPEN, HERE) == Solved(Label.ANSWER, ONE)
    assert solve([Fact("B", "lamp", ONE)], OPEN, HERE) == Solved(Label.MISSING)
