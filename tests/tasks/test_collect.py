"""What is wrong with the arguments of a run is told before it."""

from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tasks.collect import collect


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "search: required; e.g. -T search=brave"),
        ({"search": "altavista"}, None),
        (
            {"search": "brave", "delay": -1},
            "delay: Input should be greater than or equal to 0",
        ),
        ({"search": "brave", "unknown": "trusted"}, "unknown"),
        ({"search": "brave", "trust": []}, "trust: expected names"),
        ({"search": "brave", "trust": ["bundled", "x.yaml"]}, None),
        ({"serach": "brave"}, "unknown argument 'serach'"),
    ],
)
def test_wrong_arguments_are_one_line(
    arguments: dict[str, Any], problem: str | None
) -> None:
    if problem is None:
        assert collect(**arguments).name  # engines are made in the run
        return
    with pytest.raises(DataError, match=problem) as error:
        collect(**arguments)
    assert "\n" not in str(error.value)
