"""What each factor of the sources moves, worked by hand: main effects, interactions, gaps, kinds of ambiguity."""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.factorial import FACTORS, LEVELS
from refusalbench_tasks.metrics.hedging_conflicts import conflict_effects
from refusalbench_tasks.metrics.hedging_factors import Effect, effect_values, factor_effects
from refusalbench_tasks.metrics.hedging_kinds import kind_estimates, kind_values
from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.scored_row import Scored

NAN = math.nan
NUMBERS = {"refused": 0.0, "correctness": 1.0, "confidence": 0.5, "hedges": 0.0, "boosters": 0.0, "words": 10.0,
           "unscored": 0.0, "faithfulness": NAN}  # fmt: skip
Cell = tuple[int, int, int]
"""Reliability, conflict and sufficiency: 1 where they give cause for doubt."""
CELLS: tuple[Cell, ...] = tuple(product((0, 1), repeat=3))  # type: ignore[arg-type]


def row(
    question: str, cell: Cell, epoch: int = 1, kind: str = "", arm: str = "", about: str | None = None, **numbers: float
) -> HedgingRow:
    name = "".join(map(str, cell))
    facts = {
        "source_id": f"{question}.{name[1:]}",
        "question_id": question,
        "arm": arm or ("ambiguous" if cell[0] else "clear"),
        "factors": {factor: LEVELS[factor][level] for factor, level in zip(FACTORS, cell, strict=True)},
        "ambiguity_kind": kind,
        "conflict_about": about,
    }
    return hedging_row(facts, Scored(NUMBERS | numbers, notes={"epoch": epoch}))


def asked(question: str, hedges: Mapping[Cell, float]) -> list[HedgingRow]:
    return [row(question, cell, hedges=number) for cell, number in hedges.items()]


def of(rows: list[HedgingRow], measure: str = "hedges") -> dict[str, Effect]:
    return {one.name: one for one in factor_effects(HedgingRows(rows), (measure,), 50)}


A = asked("a", {(r, c, s): 1 + 2 * r + 3 * c * s for r, c, s in CELLS})
B = asked("b", {(r, c, s): 4 * c for r, c, s in CELLS})


def test_main_effects_and_interactions_of_two_questions() -> None:
    found = of(A + B)
    # a: a doubtful source adds 2 in each of four pairs; b: nothing in four. The mean of eight is 1
    assert (found["reliability"].value, found["reliability"].n, found["reliability"].questions) == (1.0, 8, 2)
    # a: a conflict adds 3 where the sources don't suffice, in two of four pairs; b: 4 in each. (3 + 3 + 16) / 8
    assert found["conflict"].value == pytest.approx(22 / 8)
    # a: 3 in two of four; b: 0
    assert found["sufficiency"].value == pytest.approx(6 / 8)
    # a: 3 - 0 for both levels of reliability, b: 0 for both
    assert (found["conflict x sufficiency"].value, found["conflict x sufficiency"].n) == (1.5, 4)
    assert found["reliability x conflict"].value == found["reliability x sufficiency"].value == 0


def test_the_interval_resamples_questions() -> None:
    found = of(A + B)["reliability"]
    # a resample holds a twice, b twice, or both: 2, 0 or 1
    assert (found.low, found.high) == (0.0, 2.0)
    rows = [replace(one, cluster="row") for one in A + B]
    apart = factor_effects(HedgingRows(rows), ("hedges",), 200)[0]
    assert 0.0 < apart.low < apart.value < apart.high < 2.0


def test_a_cell_is_the_mean_of_its_epochs_and_one_without_a_value_costs_its_differences_alone() -> None:
    rows = [
        row("a", (0, 0, 0), hedges=0),
        row("a", (0, 0, 0), epoch=2, hedges=1),
        row("a", (1, 0, 0), hedges=3),
        row("a", (1, 0, 0), epoch=2, hedges=NAN),
        row("a", (0, 1, 0), hedges=5),
        row("a", (1, 1, 0), hedges=NAN),
    ]
    found = of(rows)
    assert (found["reliability"].value, found["reliability"].n) == (2.5, 1)
    assert (found["conflict"].value, found["conflict"].n) == (4.5, 1)
    for name in ("sufficiency", "reliability x conflict"):
        assert math.isnan(found[name].value)
        assert (found[name].n, found[name].questions) == (0, 0)


def test_rows_of_different_questions_and_rows_with_two_differences_are_not_compared() -> None:
    assert of([row("a", (0, 0, 0)), row("b", (1, 0, 0)), row("a", (1, 1, 0))])["reliability"].n == 0


def test_a_guarded_reply_refuses_or_hedges() -> None:
    rows = [
        row("a", (0, 0, 0)),
        row("a", (0, 0, 1), refused=1.0),
        row("a", (0, 1, 0), hedges=2),
        row("a", (1, 0, 0), refused=NAN, hedges=2),
    ]
    found = of(rows, "guarded_rate")
    assert {name: (found[name].value, found[name].n) for name in ("conflict", "sufficiency")} == {
        "conflict": (1.0, 1),
        "sufficiency": (1.0, 1),
    }
    assert found["reliability"].n == 0  # undecided is neither
    assert of(rows, "hedge_rate")["sufficiency"].n == 0  # a refusal is no answer
    assert of(rows, "refusal_rate")["sufficiency"].value == 1


def test_an_effect_that_every_question_shows_is_no_certainty() -> None:
    rows = [row(name, cell, refused=float(cell[2])) for name in "abcdef" for cell in CELLS]
    found = of(rows, "refusal_rate")
    # Newcombe's interval of 6 of 6 against 0 of 6: Wilson gives .610 to 1 and 0 to .390, so 1 - sqrt(2) x .390
    assert found["sufficiency"].value == 1
    assert found["sufficiency"].low == pytest.approx(0.448, abs=0.001)
    assert found["sufficiency"].high == 1.0
    assert found["conflict"].value == 0
    assert found["conflict"].low == pytest.approx(-found["conflict"].high)
    # an interaction of means of 0 and 1 has a width too
    assert found["reliability x sufficiency"].low < 0 < found["reliability x sufficiency"].high


def test_the_log_has_main_effects_with_n_and_nothing_without_factors() -> None:
    values = effect_values(HedgingRows(A + B), 20)
    assert (values["reliability_on_hedges"], values["reliability_on_hedges_n"]) == (1.0, 8)
    assert len(values) == 3 * 3 * 4
    plain = hedging_row({"source_id": "a", "arm": "clear"}, Scored(NUMBERS))
    assert effect_values(HedgingRows([plain]), 20) == {}
    assert plain.factors == {}


def test_a_factor_that_is_not_told_leaves_the_row_out() -> None:
    rows = [*A, hedging_row({"source_id": "z", "question_id": "a", "arm": "clear",
                             "factors": {"reliability": "reliable"}}, Scored(NUMBERS | {"hedges": 99.0}))]  # fmt: skip
    assert (of(rows)["reliability"].value, of(rows)["reliability"].n) == (2.0, 4)


def test_the_effect_of_a_conflict_by_what_it_is_about() -> None:
    # a conflict about the value that is asked for adds 5, one about another thing 1; in b one about the bounds adds 2
    added = {"a": (5, "asked", 1, "other_thing"), "b": (5, "asked", 2, "bounds")}
    rows = []
    for question, (asked_adds, asked_about, short_adds, short_about) in added.items():
        for r, c, s in CELLS:
            about, adds = (short_about, short_adds) if s else (asked_about, asked_adds)
            rows.append(row(question, (r, c, s), about=about if c else None, hedges=r + c * adds))
    found = dict(conflict_effects(HedgingRows(rows), ("hedges",), 50))
    # of each question two pairs with sufficient sources, one of reliable and one of doubtful, and two with others
    assert {about: (one.value, one.n, one.questions) for about, one in found.items() if one.n} == {
        "asked": (5.0, 4, 2),
        "other_thing": (1.0, 2, 1),
        "bounds": (2.0, 2, 1),
    }
    assert (found["former_value"].n, math.isnan(found["former_value"].value)) == (0, True)
    # (4 x 5 + 2 x 1 + 2 x 2) / 8: together they are the main effect
    assert of(rows)["conflict"].value == pytest.approx(26 / 8)
    weighed = sum(one.value * one.n for one in found.values() if one.n) / sum(one.n for one in found.values())
    assert weighed == pytest.approx(26 / 8)


def test_a_conflict_of_which_nothing_is_told_or_two_things_is_in_no_part() -> None:
    assert conflict_effects(HedgingRows(A + B), ("hedges",), 20) == []
    rows = [
        row("a", (0, 0, 0)),
        row("a", (0, 1, 0), about="asked", hedges=3),
        row("a", (0, 1, 0), epoch=2, about="bounds", hedges=3),
        row("a", (1, 0, 0)),
        row("a", (1, 1, 0), hedges=7),
        row("b", (0, 0, 0)),
        row("b", (0, 1, 0), about="asked", hedges=2),
    ]
    found = {about: (one.value, one.n) for about, one in conflict_effects(HedgingRows(rows), ("hedges",), 20) if one.n}
    assert found == {"asked": (2.0, 1)}


def test_rates_by_kind_are_of_the_ambiguous_sets_of_that_kind() -> None:
    rows = [
        row("a", (0, 0, 0), refused=0.0),
        row("a", (1, 0, 0), kind="missing", refused=1.0),
        row("b", (0, 0, 0), refused=0.0),
        row("b", (1, 0, 0), kind="missing", hedges=2),
        row("c", (1, 0, 0), kind="conflict", refused=1.0),
    ]
    values = kind_values(HedgingRows(rows))
    assert {name: values[name] for name in values if "refusal" in name} == {
        "refusal_rate_under_missing": 0.5,
        "refusal_rate_under_missing_n": 2,
        "refusal_rate_under_conflict": 1.0,
        "refusal_rate_under_conflict_n": 1,
    }
    assert (values["hedge_rate_under_missing"], values["hedge_rate_under_missing_n"]) == (1.0, 1)
    assert math.isnan(values["hedge_rate_under_conflict"])
    estimates = kind_estimates(HedgingRows(rows), 20)["missing"]["refusal_rate"]
    assert (estimates["clear"].value, estimates["difference"].value) == (0.0, 0.5)


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8), st.integers(0, 2))
def test_exchanging_the_levels_of_a_factor_turns_its_effect_round(hedges: list[int], place: int) -> None:
    given_ = dict(zip(CELLS, hedges, strict=True))
    turned = {cell: given_[_other(cell, place)] for cell in CELLS}
    name = FACTORS[place]
    one, other = (of(asked("a", numbers))[name].value for numbers in (given_, turned))
    assert one == pytest.approx(-other)


def _other(cell: Cell, place: int) -> Cell:
    changed = list(cell)
    changed[place] = 1 - changed[place]
    return (changed[0], changed[1], changed[2])
