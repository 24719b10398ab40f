"""Levers of P-FalsePremise: what is presumed is denied of one thing and stated of the other."""

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.operations.asides import aside
from refusalbench_tasks.worlds.operations.remarks import REMARKS
from refusalbench_tasks.worlds.script import scripts
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.values import Value
from tests.worlds.quads import hard_levers, low_pairs, quads_of
from tests.worlds.stage import script_of, staged, told

HARD = hard_levers("P-FalsePremise")
SEEDS = 20


@pytest.mark.parametrize("lever", HARD, ids=lambda one: f"{one.name}, {one.scenario}")
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.FALSE_PREMISE, Label.FALSE_PREMISE, Label.ANSWER]
        for first, second in (quad.cells[:2], quad.cells[2:]):
            assert first.question == second.question


@pytest.mark.parametrize(("soft", "hard"), low_pairs("P-FalsePremise"), ids=lambda one: one.name)
def test_a_low_lever_leaves_one_answer(soft: Lever, hard: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(hard, SEEDS, monkeypatch, soft):
        assert {cell.lever.name for cell in (quad.cells[0], quad.cells[3])} == {soft.name}
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.FALSE_PREMISE, Label.FALSE_PREMISE, Label.ANSWER]


def test_every_published_lever_is_there_but_the_two_that_are_a_matter_of_taste() -> None:
    names = {one.name for one in LEVERS if one.perturbation.value == "P-FalsePremise"}
    assert len(names) == 28


PEOPLE = [Value("person", name) for name in ("Ed Lark", "Flo Wend", "Gus Orr")]
YEARS = [Value("year", year) for year in (1999, 2004, 2010)]
WORKED = {
    "First vs. Second Mission Clash": (
        PEOPLE,
        "Who carried out the second review of Tarn Clinic?",
        "Tarn Clinic has been reviewed twice, initially by Flo Wend and after that by Ed Lark.",
        "Tarn Clinic has been reviewed only once, by Flo Wend.",
    ),
    "Stopped vs. Never Started": (
        YEARS,
        "In which year did Ms Ada Moll, who keeps the files on Tarn Clinic, give up teaching?",
        "Ms Ada Moll, who keeps the files on Tarn Clinic, stopped teaching in 1999, from one day to the next.",
        "Ms Ada Moll, who keeps the files on Tarn Clinic, has never so far taught anybody, not even as a child.",
    ),
    "Abdication Falsehood": (
        YEARS,
        "In which year did Ms Ada Moll resign as spokeswoman for Tarn Clinic?",
        "Ms Ada Moll resigned as spokeswoman for Tarn Clinic in 1999, after long thought.",
        "Ms Ada Moll has been spokeswoman for Tarn Clinic without a break and still is today.",
    ),
    "Married Bachelor Query": (
        PEOPLE,
        "What is the name of the husband of Ms Ada Moll, who keeps the files on Tarn Clinic?",
        "Ms Ada Moll, who keeps the files on Tarn Clinic, is married to Ed Lark.",
        "Ms Ada Moll, who keeps the files on Tarn Clinic, is single and has never been married.",
    ),
    "Category Swap": (
        YEARS,
        "In which year did Velar, who is named in the file on Tarn Clinic, get married?",
        "Velar, a nurse mentioned in the file on Tarn Clinic, got married in 1999.",
        "Velar, which is mentioned in the file on Tarn Clinic, is a brand of paint, first heard of in 1999.",
    ),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_example(name: str) -> None:
    values, question, answer, defect = WORKED[name]
    assert told("false_premise", name, values) == (question, answer, defect)


def test_an_idle_remark_stands_behind_the_name() -> None:
    question = "Who carried out the second review of Tarn Clinic?"
    script = script_of("false_premise", "First vs. Second Mission Clash")
    scene = staged({script.relations[0]: PEOPLE}, script, "Tarn Clinic")
    remarks = {one.lever: one for one in REMARKS}
    assert remarks["Imaginary Add-on"].reword(scene, "Tarn Clinic", question, script) == (
        "Who carried out the second review of Tarn Clinic, which has a blue logo?"
    )
    assert remarks["Assumed Second Edition"].reword(scene, "Tarn Clinic", question, script) == (
        "According to the second impression of the handbook on Tarn Clinic, "
        "who carried out the second review of Tarn Clinic?"
    )


def test_that_versions_are_alike_settles_no_sales_of_one_of_them() -> None:
    version = next(one for one in REMARKS if one.lever == "Imagined Product Variant")
    suited = {script.lever for script in scripts("false_premise") if version.suits(script)}
    assert suited == {"Self-contradictory Entity", "Infinite Set with Finite Size"}


def test_an_aside_needs_a_place() -> None:
    script = script_of("false_premise", "First vs. Second Mission Clash")
    scene = staged({}, script, "Tarn Clinic")
    with pytest.raises(Impure, match="no place"):
        aside(scene, "Tarn Clinic", "Who owns it?", ("known for its brass bell",))


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the song about Tarn Clinic?",
        "Who sells the leaflet for Tarn Clinic?",
        "In which year did Fumbis, named in the file on Tarn Clinic, retire?",
        "When did Ms Ada Moll, who keeps the files on Tarn Clinic, retire?",
    ],
)
def test_an_aside_hangs_on_nothing_else(question: str) -> None:
    scene = staged({}, script_of("false_premise", "First vs. Second Mission Clash"), "Tarn Clinic")
    with pytest.raises(Impure, match="something else"):
        aside(scene, "Tarn Clinic", question, ("which has a brass bell",))


@pytest.mark.parametrize("before", ["the second review of", "the keys for", "the strike over", "the committee on"])
def test_an_aside_hangs_on_the_thing(before: str) -> None:
    scene = staged({}, script_of("false_premise", "First vs. Second Mission Clash"), "Tarn Clinic")
    question = f"Who stopped {before} Tarn Clinic?"
    found = aside(scene, "Tarn Clinic", question, ("which has a brass bell",))
    assert found == f"Who stopped {before} Tarn Clinic, which has a brass bell?"
