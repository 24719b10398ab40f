"""Consistency over pairs and quads, by hand."""

import math

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.consistency import consistency, consistency_intervals
from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.taxonomy import Label

ANSWER, MISSING = Label.ANSWER, Label.MISSING
EXPECTED = (ANSWER, MISSING, MISSING, ANSWER)
"""The diagonal of a quad has answers."""


def row(quad: str, place: int, verdict: bool | None, epoch: int = 0) -> RefusalRow:
    expected = EXPECTED[place]
    other = MISSING if expected is ANSWER else ANSWER
    predicted = None if verdict is None else expected if verdict else other
    correct = True if predicted is ANSWER and expected is ANSWER else None
    facts = SampleFacts(expected=expected, source=quad, item=f"{quad}.{place}", pair=f"{quad}.{place // 2}")
    return RefusalRow(outcome=Outcome(expected, predicted, correct, quad), facts=facts, epoch=epoch)


def quad(name: str, *verdicts: bool | None) -> list[RefusalRow]:
    return [row(name, place, verdict) for place, verdict in enumerate(verdicts)]


def test_a_pair_counts_if_both_rows_are_right_and_a_quad_if_all_four_are() -> None:
    rows = RefusalRows([*quad("a", True, True, True, True), *quad("b", True, True, False, True)])
    # pairs: a0 right, a1 right, b0 right, b1 not; quads: a right, b not
    assert consistency(rows) == {
        "pair_consistency": 3 / 4,
        "pair_consistency_n": 4,
        "quad_consistency": 1 / 2,
        "quad_consistency_n": 2,
    }


def test_a_model_that_always_refuses_is_right_in_half_of_the_rows_and_in_no_pair() -> None:
    refuses = RefusalRows(quad("a", False, True, True, False))
    assert consistency(refuses)["pair_consistency"] == 0


def test_a_group_with_an_undecided_or_a_missing_row_is_in_no_denominator() -> None:
    rows = RefusalRows([*quad("a", True, None, True, True), *quad("b", True, True, True, True)[:3]])
    # complete pairs: a1, b0; no complete quad
    found = consistency(rows)
    assert (found["pair_consistency"], found["pair_consistency_n"]) == (1, 2)
    assert math.isnan(found["quad_consistency"])
    assert found["quad_consistency_n"] == 0


def test_epochs_are_groups_of_their_own() -> None:
    rows = RefusalRows([*quad("a", True, True, True, True), *quad("a", True, False, True, True)])
    assert consistency(rows)["quad_consistency_n"] == 2
    assert consistency(rows)["pair_consistency"] == 3 / 4


def test_rows_of_different_epochs_are_never_one_pair() -> None:
    # one row is undecided in the first epoch, the other in the second
    of_two = [row("a", 0, None, 1), row("a", 1, True, 1), row("a", 0, True, 2), row("a", 1, None, 2)]
    rows = RefusalRows(of_two)
    for seen in (rows, rows.where(rows.decided)):
        assert consistency(seen)["pair_consistency_n"] == 0
        assert math.isnan(consistency(seen)["pair_consistency"])


@given(st.permutations([
    *(row("a", place, place != 1, 1) for place in range(4)), *(row("a", place, True, 2) for place in (1, 2, 3)),
    *(row("a", place, place != 3, 3) for place in range(4)),
]))  # fmt: skip
def test_the_order_of_rows_and_rows_that_are_missing_mix_no_epochs(rows: list[RefusalRow]) -> None:
    # pairs: of epoch 1 the second, of epoch 2 the second alone is complete, of epoch 3 the first; quads: none of two
    assert consistency(RefusalRows(rows)) == {
        "pair_consistency": 3 / 5,
        "pair_consistency_n": 5,
        "quad_consistency": 0.0,
        "quad_consistency_n": 2,
    }


def test_rows_without_pairs_have_no_consistency() -> None:
    lone = RefusalRow(outcome=Outcome(ANSWER, ANSWER, True, "a"), facts=SampleFacts(expected=ANSWER, source="a"))
    assert consistency(RefusalRows([lone])) == {}
    assert consistency_intervals(RefusalRows([lone]), 10, 0) == {}


@given(st.lists(st.tuples(*[st.sampled_from([True, False, None])] * 4), min_size=1, max_size=12))
def test_a_quad_is_never_more_consistent_than_its_pairs(verdicts: list[tuple[bool | None, ...]]) -> None:
    complete = [one for one in verdicts if None not in one]
    rows = RefusalRows(one for place, each in enumerate(complete) for one in quad(str(place), *each))
    found = consistency(rows)
    if complete:
        assert found["quad_consistency"] <= found["pair_consistency"]
        assert found["quad_consistency"] == sum(map(all, complete)) / len(complete)


def test_intervals_resample_quads() -> None:
    rows = RefusalRows(one for place in range(20) for one in quad(str(place), True, True, place % 2 == 0, True))
    found = consistency_intervals(rows, 200, 0)
    assert found["quad_consistency_ci_low"] < 0.5 < found["quad_consistency_ci_high"]
