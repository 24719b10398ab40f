"""Levers of P-Contradiction: the text gives two values of what is asked, or two of what is not."""

import pytest

from refusalbench_tasks.taxonomy import Intensity, Label
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.operations.contradiction_low import rounded
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.rows import as_row
from refusalbench_tasks.worlds.solve import Impure, Ontology, Solved, solve
from refusalbench_tasks.worlds.statement import Alias, Every, Fact, Never, Order, Part, Statement
from refusalbench_tasks.worlds.values import Value
from tests.worlds.quads import hard_levers, named, originals_have_the_answer, quads_of

CLASS = "P-Contradiction"
HARD = hard_levers(CLASS)
LOW = [one for one in LEVERS if one.perturbation.value == CLASS and one.intensity is Intensity.LOW]
SEEDS = 20
NOTHING = Ontology({})
FEE = Ask("value", "fee", ("S",))


def crowns(number: int) -> Value:
    return Value("money", number, "crowns")


def quads(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Quad]:
    return quads_of(next(one for one in HARD if one.name == name), count, monkeypatch)


def stated(quad: Quad, place: int) -> list[Value]:
    """Return the values that a row's passage states of what is asked."""
    cell = quad.cells[place]
    return [
        one.value
        for one in cell.text.statements
        if isinstance(one, Fact)
        and isinstance(one.value, Value)
        and (one.relation, one.subject) == (quad.relation.name, named(quad, place))
    ]


@pytest.mark.parametrize("lever", HARD, ids=lambda one: one.name)
def test_is_answerable_on_the_diagonal_only(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads_of(lever, SEEDS, monkeypatch):
        labels = [cell.solved.label for cell in quad.cells]
        assert labels == [Label.ANSWER, Label.CONTRADICTORY, Label.CONTRADICTORY, Label.ANSWER]


@pytest.mark.parametrize("lever", HARD, ids=lambda one: one.name)
def test_originals_have_the_answer_of_the_answerable_row(lever: Lever, monkeypatch: pytest.MonkeyPatch) -> None:
    originals_have_the_answer(quads_of(lever, 5, monkeypatch))


def test_the_published_levers_are_there() -> None:
    assert len({one.name for one in HARD}) == 20
    assert len({one.name for one in LOW}) == 8


def test_two_authorities_differ_by_years(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Dual-authoritative Dates", 10, monkeypatch):
        one, other = stated(quad, 1)
        assert one != other


def test_an_order_of_magnitude_is_at_least_twelvefold(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Order-of-Magnitude Numeric Clash", 10, monkeypatch):
        small, large = sorted(value.number for value in stated(quad, 1))
        assert 12 * small <= large <= 40 * small


def test_units_disagree_by_more_than_a_fifth(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Conflicting Numerical Units", 10, monkeypatch):
        small, large = sorted(value.number for value in stated(quad, 1))
        assert large > 1.2 * small
        assert quad.relation.small_unit in quad.cells[1].text.text


def test_what_comes_first_is_told_to_come_second(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Temporal Paradox", 10, monkeypatch):
        facts = [one for one in quad.cells[1].text.statements if isinstance(one, Fact)]
        cells = {(one.subject, one.relation): one.value for one in facts if isinstance(one.value, Value)}
        first, second = (cells[named(quad, 1), one] for one in (quad.relation.name, quad.relation.before))
        assert first.number > second.number


def test_both_states_hold_at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Binary State Flip", 10, monkeypatch):
        assert {value.content for value in stated(quad, 1)} == {True, False}


def test_the_dead_are_seen_later(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in quads("Life/Death Status Inconsistency", 10, monkeypatch):
        facts = [one for one in quad.cells[1].text.statements if isinstance(one, Fact)]
        cells = {(one.subject, one.relation): one.value for one in facts if isinstance(one.value, Value)}
        assert cells[named(quad, 1), "seen"].number > cells[named(quad, 1), "died"].number


def test_equal_ranks_clash_and_a_higher_one_settles_it() -> None:
    paper = Fact("S", "fee", crowns(30), source="the paper", rank=1)
    board = Fact("S", "fee", crowns(80), source="the board", rank=1)
    assert solve([paper, board], FEE, NOTHING) == Solved(Label.CONTRADICTORY)
    official = Fact("S", "fee", crowns(50), source="the register", rank=2)
    assert solve([paper, board, official], FEE, NOTHING) == Solved(Label.ANSWER, crowns(50))


def test_a_value_that_is_ruled_out_is_a_clash() -> None:
    fact, never = Fact("S", "fee", crowns(30)), Never("S", "fee", crowns(30))
    assert solve([fact, never], FEE, NOTHING) == Solved(Label.CONTRADICTORY)
    assert solve([fact, Never("S", "fee", crowns(31))], FEE, NOTHING) == Solved(Label.ANSWER, crowns(30))
    assert solve([fact, Never("T", "fee", crowns(30))], FEE, NOTHING) == Solved(Label.ANSWER, crowns(30))
    assert solve([never], FEE, NOTHING) == Solved(Label.MISSING)


def test_a_rough_figure_or_another_name_is_no_clash() -> None:
    exact, about = Fact("S", "fee", crowns(418)), Fact("S", "fee", crowns(400), about=True)
    assert solve([exact, about], FEE, NOTHING) == Solved(Label.ANSWER, crowns(418))
    legal, pet = Value("person", "Theda Grisk"), Value("person", "Dodie Grisk")
    said = [Fact("S", "head", legal), Fact("S", "head", pet)]
    ask = Ask("value", "head", ("S",))
    assert solve(said, ask, NOTHING) == Solved(Label.CONTRADICTORY)
    assert solve([*said, Alias("Dodie Grisk", "Theda Grisk")], ask, NOTHING) == Solved(Label.ANSWER, legal)


def test_a_rule_without_exception_clashes_with_a_case() -> None:
    said: list[Statement] = [Every("W", "fee", crowns(30)), Part("S", "W"), Fact("S", "fee", crowns(80))]
    assert solve(said, FEE, NOTHING) == Solved(Label.CONTRADICTORY)
    assert solve(said[:2], FEE, NOTHING) == Solved(Label.ANSWER, crowns(30))


def test_an_order_answers_a_comparison_and_two_opposite_ones_clash() -> None:
    ask = Ask("compare", "opened", ("S", "T"))
    later, earlier = Order("S", "T", "opened"), Order("T", "S", "opened")
    assert solve([later], ask, NOTHING) == Solved(Label.ANSWER, Value("entity", "S"))
    assert solve([earlier], ask, NOTHING) == Solved(Label.ANSWER, Value("entity", "T"))
    assert solve([later, earlier], ask, NOTHING) == Solved(Label.CONTRADICTORY)
    assert solve([Order("S", "T", "rebuilt")], ask, NOTHING) == Solved(Label.MISSING)
    dated = [Fact("S", "opened", Value("year", 1950)), Fact("T", "opened", Value("year", 1960))]
    assert solve([*dated, later], ask, NOTHING) == Solved(Label.CONTRADICTORY)


def test_rounding_stays_within_a_twentieth() -> None:
    # 4,370 to 4,000 would be 8 % off, to 4,400 it is 0.7 %
    assert rounded(Value("measure", 4370, "metres")) == Value("measure", 4400, "metres")
    assert rounded(crowns(418)) == crowns(400)
    assert rounded(crowns(277)) == crowns(280)
    with pytest.raises(Impure, match="36"):
        rounded(crowns(36))


def test_a_person_is_found_by_either_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pet_names = 0
    for quad in quads("Mutual Exclusion Claim", 80, monkeypatch):
        for place in (0, 3):
            cell = quad.cells[place]
            if cell.lever.name != "Nickname vs Legal Name" or cell.solved.answer is None:
                continue
            same = next(one for one in cell.text.statements if isinstance(one, Alias))
            gold = as_row(quad, place)["original_answers"]
            assert same.name[:2] == same.of[:2]
            assert gold == ([same.of, same.name] if cell.solved.answer.type == "person" else gold)
            pet_names += 1
    assert pet_names
