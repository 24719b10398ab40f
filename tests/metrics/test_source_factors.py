"""What reliability, conflict and sufficiency of the sources move, by hand."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from refusalbench_tasks.datasets.bluff_item import FACTORS, LEVELS
from refusalbench_tasks.metrics.source_factors import conflict_effects, factor_effects
from refusalbench_tasks.stats.estimate import Estimate
from tests.metrics.bluff_table import NAN, reply, table

DesignCell = tuple[int, int, int]
"""Reliability, conflict and sufficiency: 1 where they give cause for doubt."""
CELLS: tuple[DesignCell, ...] = tuple(product((0, 1), repeat=3))  # type: ignore[arg-type]


def row(question: str, cell: DesignCell, **told: Any) -> dict[str, Any]:
    name = "".join(map(str, cell))
    factors = {
        factor: LEVELS[factor][level]
        for factor, level in zip(FACTORS, cell, strict=True)
    }
    arm = "ambiguous" if cell[0] else "clear"
    return reply(
        f"{question}.{name[1:]}", arm, cluster=question, factors=factors, **told
    )


def asked(question: str, hedges: Mapping[DesignCell, float]) -> list[dict[str, Any]]:
    return [row(question, cell, hedges=number) for cell, number in hedges.items()]


def of(
    rows: list[dict[str, Any]], measure: str = "hedges", **same: Any
) -> dict[str, Estimate]:
    return {
        one.name: one.found
        for one in factor_effects(table(*rows, **same), (measure,), 50)
    }


A = asked("a", {(r, c, s): 1 + 2 * r + 3 * c * s for r, c, s in CELLS})
B = asked("b", {(r, c, s): 4 * c for r, c, s in CELLS})


def test_main_effects_and_interactions_of_two_questions() -> None:
    found = of(A + B)
    # a: a doubtful source adds 2 in each of four pairs; b: nothing in four. The mean of
    # eight is 1
    assert (
        found["reliability"].value,
        found["reliability"].n,
        found["reliability"].units,
    ) == (1.0, 8, 2)
    # a: a conflict adds 3 where the sources don't suffice, in two of four pairs; b: 4
    # in each. (3 + 3 + 16) / 8
    assert found["conflict"].value == pytest.approx(22 / 8)
    # a: 3 in two of four; b: 0
    assert found["sufficiency"].value == pytest.approx(6 / 8)
    # a: 3 - 0 for both levels of reliability, b: 0 for both
    assert (
        found["conflict x sufficiency"].value,
        found["conflict x sufficiency"].n,
    ) == (1.5, 4)
    assert (
        found["reliability x conflict"].value
        == found["reliability x sufficiency"].value
        == 0
    )


def test_a_cell_is_the_mean_of_its_epochs_and_an_empty_one_loses_its_pairs() -> None:
    rows = [
        row("a", (0, 0, 0), hedges=0),
        row("a", (0, 0, 0), epoch=2, hedges=1),
        row("a", (1, 0, 0), hedges=3),
        row("a", (1, 0, 0), epoch=2, hedges=NAN),
        row("a", (0, 1, 0), hedges=5),
        row("a", (1, 1, 0), hedges=NAN),
        reply(
            "z", "clear", cluster="a", factors={"reliability": "reliable"}, hedges=99
        ),  # a factor is not told
    ]
    found = of(rows)
    assert (found["reliability"].value, found["reliability"].n) == (2.5, 1)
    assert (found["conflict"].value, found["conflict"].n) == (4.5, 1)
    for name in ("sufficiency", "reliability x conflict"):
        assert math.isnan(found[name].value)
        assert (found[name].n, found[name].units) == (0, 0)


def test_a_guarded_reply_refuses_or_hedges() -> None:
    rows = [
        row("a", (0, 0, 0)),
        row("a", (0, 0, 1), refused=1.0),
        row("a", (0, 1, 0), hedges=2),
        row("a", (1, 0, 0), reason="grader_failed", hedges=2),
    ]
    found = of(rows, "guarded_rate")
    assert (found["conflict"].value, found["sufficiency"].value) == (1, 1)
    assert found["reliability"].n == 0  # undecided is neither
    assert of(rows, "hedge_rate")["sufficiency"].n == 0  # a refusal is no answer
    assert of(rows, "refusal_rate")["sufficiency"].value == 1


def test_an_effect_that_every_question_shows_is_no_certainty() -> None:
    rows = [
        row(name, cell, refused=float(cell[2])) for name in "abcdef" for cell in CELLS
    ]
    found = of(rows, "refusal_rate")
    # Newcombe's interval of 6 of 6 against 0 of 6: Wilson gives .610 to 1 and 0 to
    # .390, so 1 - sqrt(2) x .390
    one = found["sufficiency"]
    assert (one.value, one.low, one.high) == pytest.approx((1, 0.448, 1), abs=0.001)
    assert found["conflict"].value == 0
    assert found["conflict"].low == pytest.approx(-found["conflict"].high)
    # an interaction of means of 0 and 1 has a width too
    assert (
        found["reliability x sufficiency"].low
        < 0
        < found["reliability x sufficiency"].high
    )


def test_the_effect_of_a_conflict_by_what_it_is_about() -> None:
    # a conflict about the value that is asked for adds 5, one about another thing 1; in
    # b one about the bounds adds 2
    added = {"a": (5, "asked", 1, "other_thing"), "b": (5, "asked", 2, "bounds")}
    rows = []
    for question, (asked_adds, asked_about, short_adds, short_about) in added.items():
        for r, c, s in CELLS:
            about, adds = (short_about, short_adds) if s else (asked_about, asked_adds)
            rows.append(
                row(
                    question,
                    (r, c, s),
                    conflict_about=about if c else "",
                    hedges=r + c * adds,
                )
            )
    found = {
        one.about: one.found for one in conflict_effects(table(*rows), ("hedges",), 50)
    }
    # of each question two pairs with sufficient sources, one of reliable and one of
    # doubtful, and two with others
    assert {
        about: (one.value, one.n, one.units) for about, one in found.items() if one.n
    } == {
        "asked": (5.0, 4, 2),
        "other_thing": (1.0, 2, 1),
        "bounds": (2.0, 2, 1),
    }
    assert (found["former_value"].n, math.isnan(found["former_value"].value)) == (
        0,
        True,
    )
    # (4 x 5 + 2 x 1 + 2 x 2) / 8: together they are the main effect
    assert of(rows)["conflict"].value == pytest.approx(26 / 8)
    # a cell whose rows name two things is in none: of a's sufficient pairs one is left
    twice = [*rows, row("a", (0, 1, 0), epoch=2, conflict_about="bounds", hedges=5)]
    assert {
        one.about: one.found.n
        for one in conflict_effects(table(*twice), ("hedges",), 5)
    }["asked"] == 3


def test_data_that_tell_nothing_have_no_effects() -> None:
    assert (
        factor_effects(table(reply("a", "clear")))
        == factor_effects(table())
        == conflict_effects(table(*A))
        == []
    )
