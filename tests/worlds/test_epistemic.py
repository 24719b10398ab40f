"""Levers of P-EpistemicMismatch: a value word with the text's own criterion, or with none."""

import pytest

from refusalbench_tasks.taxonomy import Intensity, Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.operations.outcomes import CURES, GAINS, HARMS
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.rows import as_row
from refusalbench_tasks.worlds.solve import Ontology, Solved, solve
from refusalbench_tasks.worlds.statement import Fact, Part, Ranking, Rule, Statement, Verdict
from refusalbench_tasks.worlds.values import Value
from tests.worlds.quads import hard_levers, quads_of

HARD = hard_levers("P-EpistemicMismatch")
CROSSED = [one for one in HARD if not one.intrinsic]
ALONE = [one for one in HARD if one.intrinsic]
LEVELS = (Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH)
SEEDS = 20
NOTHING = Ontology({})
YES, NO = Solved(Label.ANSWER, Value("flag", True)), Solved(Label.ANSWER, Value("flag", False))


def crowns(number: int) -> Value:
    return Value("money", number, "crowns")


@pytest.mark.parametrize("lever", CROSSED, ids=lambda one: f"{one.name}, {one.scenario}")
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.NONFACTUAL, Label.NONFACTUAL, Label.ANSWER]
        for first, second in (quad.cells[:2], quad.cells[2:]):
            assert first.question == second.question


@pytest.mark.parametrize("lever", ALONE, ids=lambda one: one.name)
def test_an_opinion_stands_beside_a_matter_of_fact_about_the_same_thing(
    lever: Lever, monkeypatch: pytest.MonkeyPatch
) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.NONFACTUAL] * 2
        fact, creed = quad.cells[0], quad.cells[1]
        assert fact.text is creed.text
        assert fact.question.ask.subjects[0] == creed.question.ask.subjects[0]
        row = as_row(quad, 1)
        assert row["intrinsic"] is True
        assert row["original_query"] == fact.question.text
        assert fact.solved.answer is not None
        assert row["original_answers"][0] == str(fact.solved.answer)


def test_every_published_lever_is_there() -> None:
    levers = [one for one in LEVERS if one.perturbation.value == "P-EpistemicMismatch"]
    counts = {level: len({one.name for one in levers if one.intensity is level}) for level in LEVELS}
    assert counts == {Intensity.LOW: 9, Intensity.MEDIUM: 10, Intensity.HIGH: 10}


RULE: list[Statement] = [
    Rule("W", "high", "fee", above=True, limit=crowns(50)),
    Rule("W", "low", "fee", above=False, limit=crowns(20)),
    Part("A", "W"),
    Part("B", "V"),
    Fact("A", "fee", crowns(60)),
    Fact("B", "fee", crowns(60)),
]
"""60 crowns lie above the mark of 50, and not below that of 20; the marks bind W alone."""


def test_a_mark_binds_the_parts_of_its_own_whole_only() -> None:
    assert solve(RULE, Ask("evaluate", "fee", ("A",), term="high"), NOTHING) == YES
    assert solve(RULE, Ask("evaluate", "fee", ("A",), term="low"), NOTHING) == NO
    assert solve(RULE, Ask("evaluate", "fee", ("B",), term="high"), NOTHING) == Solved(Label.NONFACTUAL)


@pytest.mark.parametrize(("operator", "term"), [("norm", "raised fee"), ("moral", "takes presents")])
def test_a_by_law_or_a_code_settles_what_should_be(operator: str, term: str) -> None:
    ask = Ask(operator, "fee", ("A",), term=term)  # type: ignore[arg-type]
    assert solve([Verdict("A", term, True)], ask, NOTHING) == YES
    assert solve([Verdict("A", term, False)], ask, NOTHING) == NO
    assert solve([Verdict("B", term, True), Fact("A", "fee", crowns(5))], ask, NOTHING) == Solved(Label.NONFACTUAL)


def test_what_is_to_come_is_fixed_for_its_own_year_only() -> None:
    ask = Ask("forecast", "fee", ("A",), at="2061")
    assert solve([Fact("A", "fee", crowns(60))], ask, NOTHING) == Solved(Label.NONFACTUAL)
    assert solve([Fact("A", "fee", crowns(60), at="2060")], ask, NOTHING) == Solved(Label.NONFACTUAL)
    fixed = Fact("A", "fee", crowns(70), at="2061")
    assert solve([Fact("A", "fee", crowns(60)), fixed], ask, NOTHING) == Solved(Label.ANSWER, crowns(70))
    assert solve([fixed, Fact("A", "fee", crowns(80), at="2061")], ask, NOTHING) == Solved(Label.CONTRADICTORY)


@pytest.mark.parametrize(("higher", "better"), [(True, "A"), (False, "B")])
def test_of_two_things_the_one_is_better_that_the_order_of_their_whole_puts_first(higher: bool, better: str) -> None:
    told: list[Statement] = [
        Part("A", "W"),
        Part("B", "W"),
        Fact("A", "beds", Value("count", 9)),
        Fact("B", "beds", Value("count", 4)),
    ]
    ask = Ask("opinion", "", ("A", "B"), term="better")
    assert solve(told, ask, NOTHING) == Solved(Label.NONFACTUAL)
    assert solve([*told, Ranking("V", "better", "beds", higher)], ask, NOTHING) == Solved(Label.NONFACTUAL)
    ranked = [*told, Ranking("W", "better", "beds", higher)]
    assert solve(ranked, ask, NOTHING) == Solved(Label.ANSWER, Value("entity", better))


def test_shares_of_what_is_common_leave_nothing_to_taste(monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for lever in ALONE:
        for quad in quads_of(lever, 10, monkeypatch):
            answer = quad.cells[0].solved.answer
            if quad.cells[0].lever.name == "Commonness from Percentage":
                assert answer is not None
                assert answer.number > 90 or answer.number < 5
                found += 1
    assert found


def test_outcomes_are_told_apart_by_their_cause() -> None:
    for causes in (HARMS, CURES, GAINS):
        outcomes = [one for group in causes.values() for one in group]
        assert len(outcomes) == len(set(outcomes))


def test_the_rule_of_one_thing_is_not_that_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    lever = next(one for one in HARD if one.name == "Expensive is Subjective")
    for quad in quads_of(lever, SEEDS, monkeypatch):
        for cell in quad.cells:
            homes = {one.part: one.whole for one in cell.text.statements if isinstance(one, Part)}
            first, second = (quad.cells[0].question.ask.subjects[0], quad.cells[2].question.ask.subjects[0])
            assert homes[str(first)] != homes[str(second)]
