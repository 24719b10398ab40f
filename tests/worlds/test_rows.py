"""Rows of quads: the gold answer is that to the row's own question."""

import re

import pytest

from refusalbench_tasks.worlds.operations.outcomes import GOOD_OR_BAD
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.rows import answer_of, as_row
from refusalbench_tasks.worlds.values import written
from tests.worlds.quads import hard_levers, quads_of

CLASSES = ("P-EpistemicMismatch", "P-Contradiction", "P-FalsePremise")


def _quads(intrinsic: bool, monkeypatch: pytest.MonkeyPatch) -> list[Quad]:
    hard = [one for name in CLASSES for one in hard_levers(name) if one.intrinsic == intrinsic]
    return [quad for lever in hard[:6] for quad in quads_of(lever, 2, monkeypatch)]


@pytest.mark.parametrize("intrinsic", [False, True])
def test_an_answerable_row_has_the_answer_to_its_own_question(intrinsic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    answerable = 0
    for quad in _quads(intrinsic, monkeypatch):
        for place, cell in enumerate(quad.cells):
            if cell.solved.answer is not None:
                answerable += 1
                assert as_row(quad, place)["original_answers"][0] == written(cell.solved.answer)
    assert answerable >= 4


def test_a_row_without_answer_has_that_of_the_same_question(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in _quads(False, monkeypatch):
        for place in (1, 2):
            twins = [one for one in quad.cells if one.solved.answer == answer_of(quad, place)]
            assert quad.cells[place].question.ask in [one.question.ask for one in twins]


def test_a_question_without_any_answer_has_that_of_the_question_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    for quad in _quads(True, monkeypatch):
        for place, cell in enumerate(quad.cells):
            row = as_row(quad, place)
            answered = [one for one in quad.cells if one.question.text == row["original_query"]]
            assert answer_of(quad, place) in [one.solved.answer for one in answered]
            assert cell.plain == row["original_query"]


def test_a_question_of_good_or_bad_also_asks_for_what_came_of_it() -> None:
    assert all(re.search(r"what did it do\?$|^What did ", one) for one in GOOD_OR_BAD)
