"""Baselines check their arguments; what they score is tested with the task."""

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.baselines import always_refuse, extractive


def test_unknown_arguments_end_in_one_line() -> None:
    with pytest.raises(DataError, match="unknown refusal code 'REFUSE_NEW'"):
        always_refuse("REFUSE_NEW")
    with pytest.raises(DataError, match="threshold"):
        extractive(1.5)
    always_refuse("REFUSE_AMBIGUOUS")
