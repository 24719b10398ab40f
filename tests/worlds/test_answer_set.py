"""Labels and answers of worlds, derived a second time by an answer-set solver from the same statements."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.ontology import Ontology
from refusalbench_tasks.worlds.operations import LEVERS
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.quad import Cell, Quad, make_quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.solve import Impure, solve
from refusalbench_tasks.worlds.statement import Denial, Extent, Fact, Part, Rule, Statement, Unrecorded
from refusalbench_tasks.worlds.turn import due
from refusalbench_tasks.worlds.values import Value

pytest.importorskip("clingo", reason="clingo is not installed: no second solver")
from tests.worlds.answer_set import Item, Outcome, outcomes, written

SEED = 1515
NOTHING_KNOWN = Ontology({}, many=frozenset({"members"}), before=frozenset({("born", "died")}))


def crowns(number: float) -> Value:
    return Value("money", number, "crowns")


def item(ask: Ask, *statements: Statement) -> Item:
    return statements, ask, NOTHING_KNOWN


def asked(cell: Cell, domain: str) -> Item:
    return cell.text.statements, cell.question.ask, pack(domain).ontology


def by_the_first(one: Item) -> Outcome:
    try:
        found = solve(*one)
    except Impure:
        return None, None
    return found.label, written(found.answer)


def disagreements(quads: Iterable[Quad], size: int) -> Iterator[str]:
    """Yield the rows whose label or answer is another one by answer sets."""
    waiting = iter(quads)
    while batch := list(islice(waiting, size)):
        rows = [(quad, place, cell) for quad in batch for place, cell in enumerate(quad.cells)]
        found = outcomes([asked(cell, quad.domain) for quad, _, cell in rows])
        for (quad, place, cell), one in zip(rows, found, strict=True):
            made = (cell.solved.label, written(cell.solved.answer))
            if one != made:
                yield f"quad {quad.index} of seed {quad.seed}, row {place}, '{cell.lever.name}': {made}, not {one}"


FEE = Ask("value", "fee", ("A",))
TOTAL = Ask("total", "fee", ("W",))
TWO_PARTS = (Part("A", "W"), Part("B", "W"), Extent("W", 2))


@pytest.mark.parametrize(
    ("case", "label", "answer"),
    [
        (item(FEE, Fact("A", "fee", crowns(5))), Label.ANSWER, crowns(5)),
        (item(FEE, Fact("B", "fee", crowns(5))), Label.MISSING, None),
        (item(FEE, Fact("A", "fee", crowns(5)), Fact("A", "fee", crowns(6))), Label.CONTRADICTORY, None),
        (item(FEE, Fact("A", "fee", crowns(5), rank=2), Fact("A", "fee", crowns(6))), Label.ANSWER, crowns(5)),
        (item(FEE, Fact("A", "fee", crowns(5), about=True), Fact("A", "fee", crowns(6))), Label.ANSWER, crowns(6)),
        (item(FEE, Fact("A", "fee", (crowns(5), crowns(6)))), Label.AMBIGUOUS, None),
        # of two readings, one is silent: whether there is an answer depends on the reading
        (item(FEE, Fact(("A", "B"), "fee", crowns(5))), None, None),
        (item(FEE, Denial("A", "fee")), Label.FALSE_PREMISE, None),
        (item(FEE, Denial("A", "fee"), Fact("A", "fee", crowns(5))), None, None),
        (item(FEE, Part("A", "W"), Fact("W", "total fee", crowns(9))), Label.GRANULARITY, None),
        # 5 + 7.5 = 12.5
        (
            item(TOTAL, *TWO_PARTS, Fact("A", "fee", crowns(5)), Fact("B", "fee", crowns(7.5))),
            Label.ANSWER,
            crowns(12.5),
        ),
        (item(TOTAL, *TWO_PARTS, Fact("A", "fee", crowns(5))), Label.GRANULARITY, None),
        (item(Ask("evaluate", "fee", ("A",), term="dear"), Fact("A", "fee", crowns(5))), Label.NONFACTUAL, None),
        # 300 of 900: 33.333333 per cent, to six places
        (
            item(
                Ask("share", "fee", ("A", "W")),
                *TWO_PARTS,
                Fact("A", "fee", crowns(300)),
                Fact("B", "fee", crowns(600)),
            ),
            Label.ANSWER,
            Value("measure", 33.333333, "per cent"),
        ),
        (
            item(Ask("median", "fee", ("W",)), *TWO_PARTS, Fact("A", "fee", crowns(4)), Fact("B", "fee", crowns(7))),
            Label.ANSWER,
            crowns(5.5),
        ),
    ],
)
def test_a_case_worked_by_hand(case: Item, label: Label | None, answer: Value | None) -> None:
    assert outcomes([case]) == [(label, answer)]


CHEAP = Ask("evaluate", "fee", ("A",), term="cheap")
UNDER_FIVE = Rule("A", "cheap", "fee", above=False, limit=crowns(5))


@pytest.mark.parametrize(
    ("case", "label", "answer"),
    [
        # a record that is lost elsewhere says nothing of why this one cannot be had
        (
            item(TOTAL, *TWO_PARTS, Fact("A", "fee", crowns(5)), Unrecorded("Z", "fee")),
            Label.GRANULARITY,
            None,
        ),
        (item(TOTAL, *TWO_PARTS, Fact("A", "fee", crowns(5)), Unrecorded("B", "fee")), Label.MISSING, None),
        # what is no less than the limit is not below it
        (item(CHEAP, UNDER_FIVE, Fact("A", "fee", crowns(5))), Label.ANSWER, Value("flag", False)),
        (item(CHEAP, UNDER_FIVE, Fact("A", "fee", crowns(4))), Label.ANSWER, Value("flag", True)),
    ],
)
def test_both_solvers_agree_upon_a_limit_and_a_lost_record(case: Item, label: Label, answer: Value | None) -> None:
    assert [by_the_first(case), *outcomes([case])] == [(label, answer)] * 2


def test_a_case_has_the_same_outcome_among_others() -> None:
    first = item(FEE, Fact("A", "fee", crowns(5)))
    second = item(FEE, Fact("A", "fee", crowns(6)), Fact("A", "fee", crowns(7)))
    assert outcomes([first, second, first]) == [*outcomes([first]), *outcomes([second]), *outcomes([first])]


def test_a_wrong_label_is_found() -> None:
    quad = make_quad(SEED, 0)
    wrong = replace(quad.cells[0], solved=quad.cells[1].solved)
    spoilt = replace(quad, cells=(wrong, *quad.cells[1:]))
    assert len(list(disagreements([spoilt], 1))) == 1


def test_a_hundred_quads_have_the_labels_that_answer_sets_give_them() -> None:
    assert list(disagreements((make_quad(SEED, index) for index in range(100)), 50)) == []


@pytest.mark.slow
def test_a_hundred_thousand_rows_have_the_labels_that_answer_sets_give_them() -> None:
    quads = (make_quad(SEED, index) for index in range(25_000))
    assert {due(index).name for index in range(25_000)} == {one.name for one in LEVERS if one.intensity.value != "LOW"}
    assert list(islice(disagreements(quads, 100), 10)) == []


def spoilt(quad: Quad, rng: Random) -> Item:
    """Return a question of a quad beside a text that has lost a statement that matters, or has those of both texts."""
    first, second = rng.choice(quad.cells), rng.choice(quad.cells)
    statements, ask, ontology = asked(first, quad.domain)
    left: Sequence[Statement] = [one for one in statements if not isinstance(one, Fact) or one.relation in str(ask)]
    if rng.random() < 0.5 and left:
        gone = rng.choice(left)
        statements = [one for one in statements if one is not gone]
    else:
        statements = [*statements, *second.text.statements]
    return statements, second.question.ask, ontology


def test_texts_that_no_lever_made_have_the_same_outcomes_too() -> None:
    rng = Random(SEED)
    items = [spoilt(make_quad(SEED + 1, index), rng) for index in range(120)]
    made = [by_the_first(one) for one in items]
    assert outcomes(items) == made
    assert {label for label, _ in made} == {*Label} - {Label.OTHER} | {None}
