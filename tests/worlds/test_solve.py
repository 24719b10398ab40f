"""The solver: each rule on statements made by hand, and laws that hold for any
statements.
"""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.statement import (
    Ask,
    Classing,
    Denial,
    Fact,
    Named,
    Statement,
)
from refusalbench_tasks.worlds.values import Value

FEE = Value("money", 40)
OTHER = Value("money", 55)
NAMED: Statement = Named("Eldham", "Eldham")
TWINS: list[Statement] = [
    Named("Eldham", "Eldham, old"),
    Named("Eldham", "Eldham, new"),
]
VALUE = Ask("value", "Eldham", "fee")
GRADE = Ask("grade", "Eldham", "fee", "fair", "unfair")


def fact(value: Value = FEE, thing: str = "Eldham", **more: Any) -> Fact:
    return Fact(thing, "fee", value, **more)


@pytest.mark.parametrize(
    ("statements", "ask", "due"),
    [
        ([NAMED, fact()], VALUE, Solved(Label.ANSWER, FEE)),
        ([NAMED], VALUE, Solved(Label.MISSING)),
        ([NAMED, fact(former=True)], VALUE, Solved(Label.MISSING)),
        ([NAMED, Fact("Eldham", "deposit", FEE)], VALUE, Solved(Label.MISSING)),
        ([NAMED, fact(), fact(OTHER)], VALUE, Solved(Label.CONTRADICTORY)),
        ([NAMED, fact(), fact(OTHER, former=True)], VALUE, Solved(Label.ANSWER, FEE)),
        ([NAMED, fact(level="with the deposit")], VALUE, Solved(Label.GRANULARITY)),
        ([NAMED, Denial("Eldham", "fee")], VALUE, Solved(Label.FALSE_PREMISE)),
        (
            [NAMED, Denial("Eldham", "deposit"), fact()],
            VALUE,
            Solved(Label.ANSWER, FEE),
        ),
        (
            [NAMED, fact(sense="in summer"), fact(OTHER, sense="in winter")],
            VALUE,
            Solved(Label.AMBIGUOUS),
        ),
        (
            [NAMED, fact(sense="in summer"), fact(sense="in winter")],
            VALUE,
            Solved(Label.ANSWER, FEE),
        ),
        (
            [*TWINS, fact(thing="Eldham, old"), fact(OTHER, "Eldham, new")],
            VALUE,
            Solved(Label.AMBIGUOUS),
        ),
        (
            [*TWINS, fact(thing="Eldham, old"), fact(thing="Eldham, new")],
            VALUE,
            Solved(Label.ANSWER, FEE),
        ),
        ([NAMED, fact()], GRADE, Solved(Label.NONFACTUAL)),
        (
            [NAMED, fact(), Classing("Eldham", "fee", "fair")],
            GRADE,
            Solved(Label.ANSWER, Value("flag", 1)),
        ),
        (
            [NAMED, fact(), Classing("Eldham", "fee", "unfair")],
            GRADE,
            Solved(Label.ANSWER, Value("flag", 0)),
        ),
        (
            [NAMED, fact()],
            Ask("future", "Eldham", "fee", year=2030),
            Solved(Label.NONFACTUAL),
        ),
        (
            [NAMED, fact(until=2030)],
            Ask("future", "Eldham", "fee", year=2030),
            Solved(Label.ANSWER, FEE),
        ),
        (
            [NAMED, fact(until=2029)],
            Ask("future", "Eldham", "fee", year=2030),
            Solved(Label.NONFACTUAL),
        ),
        ([NAMED, fact()], Ask("opinion", "Eldham", "fee"), Solved(Label.NONFACTUAL)),
        (
            [NAMED, Named("Hexby", "Hexby"), fact(), fact(OTHER, "Hexby")],
            Ask("compare", "Eldham", "fee", other="Hexby"),
            Solved(Label.ANSWER, Value("entity", 0, name="Hexby")),
        ),
    ],
)
def test_each_rule(statements: list[Statement], ask: Ask, due: Solved) -> None:
    assert solve(statements, ask) == due


@pytest.mark.parametrize(
    "statements",
    [
        [NAMED, fact(), Denial("Eldham", "fee")],
        [NAMED, fact(), fact(OTHER, level="with the deposit")],
        [
            *TWINS,
            fact(thing="Eldham, old"),
            fact(OTHER, "Eldham, old"),
            fact(FEE, "Eldham, new"),
        ],
    ],
    ids=["stated and denied", "at two levels", "contradicted and of two things"],
)
def test_two_defects_at_once_are_no_row(statements: list[Statement]) -> None:
    with pytest.raises(Impure):
        solve(statements, VALUE)


THINGS = ("Eldham, old", "Eldham, new", "Hexby")
FACTS = st.builds(
    Fact,
    st.sampled_from(THINGS),
    st.sampled_from(("fee", "deposit")),
    st.sampled_from((FEE, OTHER)),
    st.sampled_from(("", "in summer", "in winter")),
    st.sampled_from(("", "", "", "with the deposit")),
    st.sampled_from((0, 2029, 2031)),
    st.booleans(),
)
DENIALS = st.builds(
    Denial, st.sampled_from(THINGS), st.sampled_from(("fee", "deposit"))
)
GRADES = st.builds(
    Classing, st.sampled_from(THINGS), st.just("fee"), st.sampled_from(("fair",))
)
DOCUMENTS = st.lists(st.one_of(FACTS, FACTS, FACTS, DENIALS, GRADES), max_size=5)
ASKS = st.sampled_from((VALUE, GRADE, Ask("future", "Eldham", "fee", year=2030)))
NAMES = (
    Named("Eldham", "Eldham, old"),
    Named("Eldham", "Eldham, new"),
    Named("Hexby", "Hexby"),
)


def outcome(statements: list[Statement], ask: Ask) -> Solved | None:
    try:
        return solve(statements, ask)
    except Impure:
        return None


@given(DOCUMENTS, ASKS, st.randoms())
def test_order_former_values_and_other_things_change_nothing(
    said: list[Statement], ask: Ask, rng: random.Random
) -> None:
    due = outcome([*NAMES, *said], ask)
    mixed = [
        *NAMES,
        *said,
        Fact("Eldham, old", "fee", Value("money", 7), former=True),
        Fact("Hexby", "fee", OTHER),
    ]
    rng.shuffle(mixed)
    found = outcome(mixed, ask)
    assert (found is None) == (due is None)
    assert found is None or due is None or found.label is due.label
