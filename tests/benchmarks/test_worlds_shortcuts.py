"""The attacks on rows of worlds: they fail on rows, and succeed on their controls."""

from functools import cache

import pytest

from benchmarks.worlds_shortcuts import (
    ATTACKS,
    CLASS_ATTACKS,
    CONTROL,
    Reading,
    readings,
    report,
    told_apart,
)
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.quad import CROSSED, Design


@cache
def read_rows(control: Design) -> list[Reading]:
    return readings(77, 360, DOCUMENTS, control)


@pytest.mark.parametrize("attack", list(ATTACKS))
def test_an_attack_fails_on_rows_and_succeeds_on_its_control(attack: str) -> None:
    pytest.importorskip("sklearn")
    read, control = ATTACKS[attack]
    # the control succeeds less on so few rows than on those of the page
    assert read(read_rows(control)).accuracy > 0.65
    accuracy = read(read_rows(CROSSED)).accuracy
    # of some 290 test rows; products of relation and phrase do learn something, and the
    # page says how much
    assert accuracy < (0.8 if attack == "relation x phrase" else 0.6)


@pytest.mark.parametrize("attack", list(CLASS_ATTACKS))
def test_words_tell_the_class_of_the_control_and_not_of_rows(attack: str) -> None:
    pytest.importorskip("sklearn")
    read = CLASS_ATTACKS[attack]
    # five classes; of so few rows no more than this can be said
    assert read(told_apart(read_rows(CROSSED))).accuracy < 0.45
    if attack != "class from question":
        assert read(told_apart(read_rows(CONTROL))).accuracy > 0.65


def test_the_report_has_a_line_for_each_attack_and_a_learning_curve() -> None:
    pytest.importorskip("sklearn")
    table = report(5, 60)
    assert all(f"| {attack} |" in table for attack in (*ATTACKS, *CLASS_ATTACKS))
    assert "240 rows of seed 5" in table
    assert "relation x phrase, by rows: " in table
