"""Every form of a list of questions and of a table is read back."""

import pytest

from refusalbench_tasks.worlds.block import Block, Sentence
from refusalbench_tasks.worlds.passage import QUESTIONS, ROWS, entry, line
from refusalbench_tasks.worlds.reader.layout import sentences
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.values import Value

OPENED = Fact("the Owl Inn", "opened", Value("year", 1901))
PLAIN = Block((Sentence("The Owl Inn opened in 1901.", (OPENED,)),), row=("the Owl Inn", "year", "1901"))


@pytest.mark.parametrize("form", QUESTIONS)
def test_a_question_with_its_answer_is_read_in_every_form(form: str) -> None:
    assert sentences(entry(PLAIN, form)) == ["What is the year of the Owl Inn?\t1901."]


@pytest.mark.parametrize("form", ROWS[1:])
def test_a_row_without_a_grid_is_read_in_every_form(form: str) -> None:
    assert sentences(line(PLAIN, form)) == ["The year of the Owl Inn is 1901."]
