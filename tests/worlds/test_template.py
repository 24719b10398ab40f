"""Patterns with slots and alternatives."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.worlds.template import drawn, fill, variants, with_piece, without_piece

OPENED = "{S} ((first |)opened its doors|opened) in {V} (sic)."


def test_each_alternative_makes_a_pattern() -> None:
    assert variants(OPENED) == (
        "{S} first opened its doors in {V} (sic).",
        "{S} opened its doors in {V} (sic).",
        "{S} opened in {V} (sic).",
    )
    assert variants("(a|b) and (a|b|a)") == ("a and a", "a and b", "b and a", "b and b")
    assert variants("plain") == ("plain",)


@given(st.text("Zorbel ", min_size=1), st.integers(0, 2100))
def test_a_pattern_is_filled_in_one_of_its_ways_and_always_in_the_same(name: str, year: int) -> None:
    slots = {"S": name, "V": str(year)}
    text = fill(OPENED, slots)
    assert text in {fill(one, slots) for one in variants(OPENED)}
    assert text == fill(OPENED, dict(slots))


def test_all_ways_are_taken_about_as_often_and_groups_do_not_hang_together() -> None:
    texts = [fill("{S} (a|b) (c|d)", {"S": str(number)}).split(" ", 1)[1] for number in range(4000)]
    assert {one: pytest.approx(1000, rel=0.15) for one in ("a c", "a d", "b c", "b d")} == {
        one: texts.count(one) for one in set(texts)
    }


def test_a_piece_in_square_brackets_changes_no_alternative_beside_it() -> None:
    pattern = "{S} (a|b|c)[, {remark},] (d|e|f)"
    for number in range(50):
        slots = {"S": str(number), "remark": "so to speak"}
        whole, bare = fill(with_piece(pattern), slots), fill(without_piece(pattern), slots)
        assert whole.replace(", so to speak,", "") == bare


def test_a_filled_pattern_begins_with_a_capital_and_text_in_a_slot_is_text() -> None:
    assert fill("(in|during) {V}", {"V": "(x|y) {S}"})[1:] in ("n (x|y) {S}", "uring (x|y) {S}")
    assert fill("({S}|{S})", {"S": "anna"}) == "Anna"
    with pytest.raises(KeyError):
        fill("{S}", {})


def test_without_slots_it_is_drawn() -> None:
    assert drawn("No choice.", Random(1)) == "No choice."
    assert {drawn("A (cat|dog) sleeps.", Random(seed)) for seed in range(20)} == {"A cat sleeps.", "A dog sleeps."}
