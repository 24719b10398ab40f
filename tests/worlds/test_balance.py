"""What a run of items holds: every logical form, and classes, intensities and places in equal shares."""

from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import numpy as np
import pytest
from scipy.stats import chisquare, fisher_exact

from refusalbench_tasks.taxonomy import CLASSES, Intensity, PerturbationClass
from refusalbench_tasks.worlds.pack import EVERYDAY
from refusalbench_tasks.worlds.quad import Cell, make_quad
from refusalbench_tasks.worlds.query import NONFACTUAL
from refusalbench_tasks.worlds.ten import TEN, ten_passages
from refusalbench_tasks.worlds.turn import due

FORMS = {
    *("look-up", "at a time", "two hops", "comparison", "superlative", "count", "sum", "difference", "list"),
    *("threshold", "rule in the text", "no matter of fact"),
}
OPERATORS = {
    "compare": "comparison",
    "highest": "superlative",
    "count": "count",
    "sum": "sum",
    "difference": "difference",
    "at_least": "threshold",
    "evaluate": "rule in the text",
    **dict.fromkeys(NONFACTUAL, "no matter of fact"),
}


def forms(cell: Cell) -> Iterator[str]:
    """Yield what kinds of question a row is."""
    ask, answer = cell.question.ask, cell.solved.answer
    if ask.via is not None:
        yield "two hops"
    if ask.operator != "value":
        yield OPERATORS.get(ask.operator, ask.operator)
    elif ask.at:
        yield "at a time"
    elif answer is not None:
        yield "list" if answer.type == "names" else "look-up"


def test_every_logical_form_is_asked() -> None:
    left = set(FORMS)
    for index in range(300):
        left -= {form for cell in make_quad(7, index).cells for form in forms(cell)}
        if not left:
            return
    pytest.fail(f"not asked in 300 quads: {left}")


def test_classes_and_intensities_have_equal_shares() -> None:
    known = Counter((due(index).perturbation, due(index).intensity) for index in range(120))
    assert known == {(one, level): 10 for one in CLASSES for level in (Intensity.MEDIUM, Intensity.HIGH)}


def test_without_the_topics_classes_are_alike_and_two_have_no_high_row() -> None:
    known = Counter((due(index, EVERYDAY).perturbation, due(index, EVERYDAY).intensity) for index in range(120))
    medium = {one: known[one, Intensity.MEDIUM] for one in CLASSES}
    assert {one: medium[one] + known[one, Intensity.HIGH] for one in CLASSES} == dict.fromkeys(CLASSES, 20)
    without = {PerturbationClass.GRANULARITY, PerturbationClass.EPISTEMIC}
    assert {one for one in CLASSES if medium[one] == 20} == without


def test_the_passages_that_bear_stand_anywhere_and_say_nothing_of_the_label() -> None:
    places: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for index in islice(count(), 24):
        quad = make_quad(62, index)
        for place, cell in enumerate(quad.cells):
            answerable = cell.lever.intensity is Intensity.LOW
            places[answerable].update(ten_passages(quad, place, proven=False).row.signal)
    both = places[True] + places[False]
    assert chisquare([both[at] for at in range(TEN)]).pvalue > 0.001
    early = np.array([[sum(one[at] for at in half) for half in (range(5), range(5, TEN))] for one in places.values()])
    assert fisher_exact(early).pvalue > 0.01
