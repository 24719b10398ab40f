"""The arguments of `question`."""

from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tasks.question import question


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"corpus": None}, "corpus: required; "),
        ({"corpus": "nowhere.jsonl"}, "corpus: no such file 'nowhere.jsonl'"),
        ({"n": 0}, "n: Input should be greater than or equal to 1"),
        ({"questions": 0}, "questions=0 and outside=0 ask for nothing"),
        ({"outside": -1}, "outside: Input should be greater than or equal to 0"),
        (
            {"conflicts": "mark"},
            "conflicts: Input should be 'drop' or 'keep', got 'mark'",
        ),
        ({"chunks": 3}, "question: unknown argument 'chunks'; known: corpus, n"),
    ],
)
def test_a_bad_argument_is_one_clear_line(bad: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError) as caught:
        question(**({"corpus": "sample"} | bad))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
