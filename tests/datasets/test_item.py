"""A sample's input: the question first, then its passages."""

from collections import Counter
from collections.abc import Callable

import pytest
from inspect_ai import Task

from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.datasets.item import input_text, question_in


def test_the_question_comes_first_and_each_passage_has_a_number() -> None:
    assert input_text("Who?", ["One.", "Two."]) == "Who?\n\n[1] One.\n\n[2] Two."
    assert input_text("Who?", []) == "Who?"


def test_the_question_is_that_of_the_row_and_of_other_tasks_the_input() -> None:
    assert question_in({"query": "Who?"}, "Who?\n\n[1] One.") == "Who?"
    assert question_in({}, "Who?") == "Who?"
    assert question_in({"query": 3}, "Who?") == "Who?"


@pytest.mark.parametrize(
    ("task", "settings"),
    [
        (nq, {"data": "sample"}),
        (garage, {"data": "sample"}),
        (bluff, {"data": "sample"}),
        (nq, {"data": "worlds", "n": 240}),
        (bluff, {"data": "worlds", "n": 4}),
    ],
)
def test_no_two_samples_of_a_task_ask_the_same(
    task: Callable[..., Task], settings: dict[str, object]
) -> None:
    samples = list(task(**settings).dataset)
    assert Counter(str(sample.input) for sample in samples).most_common(1)[0][1] == 1
    for sample in samples:
        metadata = sample.metadata or {}
        assert str(sample.input).startswith(metadata["query"])
        texts = metadata.get("passages") or [
            source["text"] or source["title"] for source in metadata["sources"]
        ]
        assert all(text in str(sample.input) for text in texts)
