"""Which lists a run measures with."""

from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.word_lists import word_lists


@pytest.mark.parametrize(
    ("protocol", "lists", "problem"),
    [
        (
            "official-code",
            {"lexicon": "v2"},
            "lexicon: 'v2' has terms that depend on the words around them",
        ),
        (
            "official-code",
            {"official_lists": "m", "lexicon": "x"},
            "official_lists: has its own hedges and boosters",
        ),
    ],
)
def test_lists_that_do_not_go_with_a_protocol_are_refused(
    protocol: Any, lists: dict[str, str], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        word_lists(protocol, **lists)
