"""Levers of P-GranularityMismatch: the text speaks of another level than is asked, or of the asked one too."""

import re

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.solve import Ontology, Solved, solve
from refusalbench_tasks.worlds.statement import Every, Extent, Fact, Part, Statement
from refusalbench_tasks.worlds.values import Value
from tests.worlds.quads import hard_levers, quads_of

HARD = hard_levers("P-GranularityMismatch")
SEEDS = 20
NOTHING = Ontology({})


def count(number: int) -> Value:
    return Value("count", number)


FEW: list[Statement] = [
    Extent("W", 5),
    *(Part(name, "W") for name in ("A", "B", "C")),
    Fact("A", "beds", count(10)),
    Fact("B", "beds", count(30)),
    Fact("C", "beds", count(20)),
]
"""Three of five parts: 10 + 30 + 20 = 60 beds, and two parts of which nothing is known."""
ALL: list[Statement] = [Extent("W", 3), *FEW[1:]]
"""The same three parts, and no others."""


@pytest.mark.parametrize("lever", HARD, ids=lambda one: f"{one.name}, {one.scenario}")
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.GRANULARITY, Label.GRANULARITY, Label.ANSWER]
        for first, second in (quad.cells[:2], quad.cells[2:]):
            assert first.question == second.question


@pytest.mark.parametrize("lever", HARD, ids=lambda one: f"{one.name}, {one.scenario}")
def test_the_original_has_an_answer(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, 5, monkeypatch):
        for cell in quad.cells:
            assert solve(cell.original.statements, cell.question.ask, NOTHING).label is Label.ANSWER


def test_every_published_lever_is_there() -> None:
    names = {one.name for one in LEVERS if one.perturbation.value == "P-GranularityMismatch"}
    assert len(names) == 30


@pytest.mark.parametrize(("operator", "answer"), [("total", count(60)), ("mean", count(20)), ("median", count(20))])
def test_a_whole_follows_from_all_its_parts_but_not_from_a_few(operator: str, answer: Value) -> None:
    ask = Ask(operator, "beds", ("W",))  # type: ignore[arg-type]
    assert solve(ALL, ask, NOTHING) == Solved(Label.ANSWER, answer)
    assert solve(FEW, ask, NOTHING) == Solved(Label.GRANULARITY)


def test_a_stated_line_settles_what_a_few_parts_do_not() -> None:
    told: list[Statement] = [*FEW, Fact("W", "mean beds", count(24))]
    assert solve(told, Ask("mean", "beds", ("W",)), NOTHING) == Solved(Label.ANSWER, count(24))


def test_a_part_does_not_follow_from_the_total_of_its_whole() -> None:
    told: list[Statement] = [Part("D", "W"), Extent("W", 5), Fact("W", "total beds", count(90))]
    assert solve(told, Ask("value", "beds", ("D",)), NOTHING) == Solved(Label.GRANULARITY)
    assert solve([Part("D", "W")], Ask("value", "beds", ("D",)), NOTHING) == Solved(Label.MISSING)


def test_a_part_has_what_every_part_has() -> None:
    told: list[Statement] = [Part("D", "W"), Every("W", "beds", count(18))]
    assert solve(told, Ask("value", "beds", ("D",)), NOTHING) == Solved(Label.ANSWER, count(18))


def test_a_share_needs_the_total() -> None:
    # 10 of 60 beds are no whole per cent, 30 of 60 are 50 per cent
    ask = Ask("share", "beds", ("B", "W"))
    assert solve(ALL, ask, NOTHING) == Solved(Label.ANSWER, Value("measure", 50, "per cent"))
    assert solve(FEW, ask, NOTHING) == Solved(Label.GRANULARITY)
    told = [*FEW, Fact("W", "total beds", count(120))]
    assert solve(told, ask, NOTHING) == Solved(Label.ANSWER, Value("measure", 25, "per cent"))


@pytest.mark.parametrize(
    ("limit", "few", "every"),
    [
        # 60 beds are known: a goal of 60 is reached whatever the others have, one of 61 only they could reach
        (60, Solved(Label.ANSWER, Value("flag", True)), Solved(Label.ANSWER, Value("flag", True))),
        (61, Solved(Label.GRANULARITY), Solved(Label.ANSWER, Value("flag", False))),
    ],
)
def test_a_goal_is_reached_by_the_parts_that_are_known_or_it_is_open(limit: int, few: Solved, every: Solved) -> None:
    ask = Ask("at_least", "total beds", ("W",), limit=count(limit))
    assert (solve(FEW, ask, NOTHING), solve(ALL, ask, NOTHING)) == (few, every)


def test_a_decade_does_not_follow_from_a_day() -> None:
    ask = Ask("value", "fee", ("A",), at="2000/2009")
    day, decade = Fact("A", "fee", count(7), at="2004-05-01"), Fact("A", "fee", count(9), at="2000/2009")
    assert solve([day], ask, NOTHING) == Solved(Label.GRANULARITY)
    assert solve([day, decade], ask, NOTHING) == Solved(Label.ANSWER, count(9))
    assert solve([Fact("A", "fee", count(7), at="2011-05-01")], ask, NOTHING) == Solved(Label.MISSING)


def test_a_change_needs_both_ends() -> None:
    ask = Ask("change", "fee", ("A",), at="1950/1990")
    ends: list[Statement] = [Fact("A", "fee", count(12), at="1950"), Fact("A", "fee", count(5), at="1990")]
    assert solve(ends, ask, NOTHING) == Solved(Label.ANSWER, count(7))
    assert solve(ends[:1], ask, NOTHING) == Solved(Label.GRANULARITY)


def named(name: str, scenario: str) -> Lever:
    return next(one for one in HARD if (one.name, one.scenario) == (name, scenario))


def test_a_mean_over_members_leaves_room_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(named("Subtype Policy Inquiry", "value"), SEEDS, monkeypatch):
        text = quad.cells[1].text
        means = [one for one in text.statements if isinstance(one, Fact) and one.relation.startswith("mean ")]
        extents = [one.count for one in text.statements if isinstance(one, Extent)]
        assert len(means) == 1
        assert isinstance(means[0].value, Value)
        if quad.relation.type != "time":
            assert means[0].value.number * max(extents) > quad.relation.high


def test_the_goal_is_beyond_what_single_deeds_add_up_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(named("Individual Actions vs. Collective Goal", "goal"), SEEDS, monkeypatch):
        ask = quad.cells[1].question.ask
        parts = {
            one.part for one in quad.cells[1].text.statements if isinstance(one, Part) and one.whole == ask.subjects[0]
        }
        known = [
            one.value.number
            for one in quad.cells[1].text.statements
            if isinstance(one, Fact) and one.subject in parts and isinstance(one.value, Value)
        ]
        assert ask.limit is not None
        assert len(known) == 1
        assert known[0] < ask.limit.number


def test_both_units_are_the_same_length(monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for quad in quads_of(named("Subtype Policy Inquiry", "value"), 60, monkeypatch):
        if quad.cells[0].lever.name == "Inline Unit Conversion":
            answer, relation = quad.cells[0].solved.answer, quad.relation
            assert answer is not None
            assert answer.unit == relation.unit
            small = Value(relation.type, answer.number * relation.ratio, relation.small_unit)
            assert str(small) in quad.cells[0].text.text
            assert str(answer) in quad.cells[0].text.text
            found += 1
    assert found


def numbers(text: str) -> list[int]:
    return [int(one.replace(",", "")) for one in re.findall(r"\d[\d,]*", text)]


def sentences(quad: Quad, place: int, name: str) -> list[str]:
    return [one.text for block in quad.cells[place].text.blocks for one in block.sentences if name in one.text]


def test_the_words_of_a_total_line_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(named("Nation from City Data", "aggregate"), SEEDS, monkeypatch):
        cell = quad.cells[0]
        whole, answer = str(cell.question.ask.subjects[0]), cell.solved.answer
        parts = [one.part for one in cell.text.statements if isinstance(one, Part) and one.whole == whole]
        # the plain sentence of a part ends or begins with its figure, and names no other number
        told = [numbers(sentence) for part in parts for sentence in sentences(quad, 0, part) if whole not in sentence]
        amounts = [found[0] for found in told]
        assert len(amounts) == len(parts)
        total = sum(amounts) if cell.question.ask.operator == "total" else sum(amounts) / len(amounts)
        assert answer is not None
        assert total == answer.content


def test_the_words_of_a_share_are_its_numerator_and_its_denominator(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(named("Micro-to-Macro Proportion", "share"), SEEDS, monkeypatch):
        cell = quad.cells[0]
        part, whole = (str(name) for name in cell.question.ask.subjects)
        own = own_of(quad, part)
        assert [one for one in sentences(quad, 0, part) if whole not in one and str(own) in one]
        total = next(numbers(one)[0] for one in sentences(quad, 0, whole) if part not in one and numbers(one))
        assert cell.solved.answer is not None
        assert own.number * 100 == total * cell.solved.answer.number
        of_the_whole = [one for one in sentences(quad, 1, whole) if part not in one]
        assert of_the_whole
        assert not [one for one in of_the_whole if numbers(one)]


def own_of(quad: Quad, part: str) -> Value:
    cell, said = (part, quad.relation.name), quad.cells[0].text.statements
    found = [one.value for one in said if isinstance(one, Fact) and (one.subject, one.relation) == cell]
    return next(one for one in found if isinstance(one, Value))


def test_the_words_of_two_years_are_a_change_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(named("Long-range Trend Extrapolation", "change"), SEEDS, monkeypatch):
        cell = quad.cells[0]
        thing, (first, last) = str(cell.question.ask.subjects[0]), cell.question.ask.at.split("/")
        told = next(one for one in sentences(quad, 0, thing) if f"in {first}" in one and f"in {last}" in one)
        found = [int(one.replace(",", "")) for one in re.findall(r"(\d[\d,]*)(?: \w+)? in \d{4}", told)]
        assert cell.solved.answer is not None
        assert abs(found[0] - found[-1]) == cell.solved.answer.number
        # what else happened to it may well have been in one of these years
        facts = [one for one in quad.cells[1].text.statements if isinstance(one, Fact) and one.subject == thing]
        days = [one.at for one in facts if one.relation == quad.relation.name]
        assert len(days) == 3
        assert not {first, last} & {*days}


def test_the_words_of_a_median_are_the_middle_of_those_of_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(named("Median-With-Missing Member", "median"), SEEDS, monkeypatch):
        cell = quad.cells[0]
        whole = str(cell.question.ask.subjects[0])
        parts = [one.part for one in cell.text.statements if isinstance(one, Part) and one.whole == whole]
        told = [numbers(one)[0] for part in parts for one in sentences(quad, 0, part) if whole not in one]
        assert cell.solved.answer is not None
        assert sorted(told)[len(told) // 2] == cell.solved.answer.number


def test_a_roll_has_the_answer_behind_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for quad in quads_of(named("Subtype Policy Inquiry", "value"), 60, monkeypatch):
        cell = quad.cells[0]
        if cell.lever.name == "Named-Individual Ask" and cell.question.ask.operator == "value":
            values = [one for one in cell.text.statements if isinstance(one, Fact) and one.value == cell.solved.answer]
            assert any(f"{one.subject}, {one.value}" in cell.text.text for one in values)
            found += 1
    assert found
