"""`refusalbench plan`."""

import shlex

import pytest

from tests.tasks.generation import (
    command,
)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--bases nq_sample", "18 base questions, 176 levers, 324 items per writer"),
        (
            "--bases nq_sample --levers 'Answer Clause Excised'",
            "18 base questions, 1 levers, 18 items per writer",
        ),
    ],
)
def test_plan_prints_items_by_cell_or_levers(line: str, told: str) -> None:
    assert told in command("plan", *shlex.split(line))
