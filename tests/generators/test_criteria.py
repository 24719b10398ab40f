"""What each class and intensity asks for, in words."""

import pytest

from refusalbench_tasks.generators.criteria import (
    class_table,
    constraint_of,
    evidence_asked,
    intensity_meaning,
    target_of,
)
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass


def test_every_cell_is_told_once_in_the_table() -> None:
    table = class_table()
    for name in CLASSES:
        for level in PERTURBED:
            line = f"  {level}: {intensity_meaning(name, level)}."
            assert table.count(line) == 1


@pytest.mark.parametrize("name", CLASSES)
def test_an_item_that_is_to_be_answered_keeps_its_answer(
    name: PerturbationClass,
) -> None:
    assert "ANSWER_CORRECTLY" in constraint_of(name, Intensity.LOW)
    assert "REFUSE_" in constraint_of(name, Intensity.HIGH)
    assert "letter by letter" in evidence_asked(name, Intensity.LOW)


def test_of_several_passages_those_that_may_change_are_numbered() -> None:
    levers = {lever.multi: lever for lever in bundled_levers() if not lever.ground}
    assert "(numbers: 1, 3)" in target_of(levers["all_signal"], 3, (2, 0))
    assert "(numbers: 2)" in target_of(levers["one_noise"], 3, (2, 0))
    assert target_of(levers["query"], 1, ()).startswith("Change the question only.")
