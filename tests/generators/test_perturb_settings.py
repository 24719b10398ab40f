"""The arguments of `perturb`: what is wrong with one ends in one line."""

from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tasks.perturb import perturb

BASES = {"bases": "nq_sample"}
NO_FILE = "no such file 'nofile'; bases is 'nq_sample', 'garage_sample'"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "bases: required; "),
        ({"bases": "nofile"}, NO_FILE),
        (BASES | {"together": True, "write": "whole"}, "together"),
        (BASES | {"together": True, "coverage": "all"}, "together"),
        (BASES | {"together": "yes"}, "together"),
        (BASES | {"lever_file": "no.yaml"}, "lever_file: no such file 'no.yaml'"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError) as caught:
        perturb(**arguments)
    assert problem in str(caught.value)
    assert str(caught.value).isprintable()
