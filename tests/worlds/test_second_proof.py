"""A second reader and a second solver find the label and the answer of every row of a
sample.
"""

from typing import Any

import pytest

from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad_rows import Layout, quad_rows, row
from tests.worlds.second_reader import second_answer, second_label

Row = dict[str, Any]


def read(item: Row, passages: list[str] | None = None) -> tuple[str, str | int | None]:
    """Return what the second reader finds for a row, or for its question beside other
    passages.
    """
    given = item.get("grounding") or [{"text": item["perturbed_context"]}]
    question = item.get("perturbed_query") or item["query"]
    found = second_label(
        question, passages or [one["text"] for one in given], item["domain"]
    )
    answered = found.label == "ANSWER_CORRECTLY"
    return found.label, (found.word or found.value) if answered else None


@pytest.mark.parametrize(
    ("seed", "number", "layout"),
    [
        (20_231, 312, "context"),
        (20_233, 48, "grounding"),
        (20_235, 48, "hard"),
        pytest.param(20_232, 2_496, "context", marks=pytest.mark.slow),
        pytest.param(20_234, 288, "grounding", marks=pytest.mark.slow),
        pytest.param(20_236, 400, "hard", marks=pytest.mark.slow),
    ],
)
def test_every_row_is_read_as_it_was_made(
    seed: int, number: int, layout: Layout
) -> None:
    wrong = [
        item["id"]
        for item in quad_rows(seed, 0, number, DOMAINS, layout)
        if read(item) != second_answer(item)
    ]
    assert not wrong


def test_originals_have_the_answer_of_their_row_wherever_they_are_given() -> None:
    made = [item for item in quad_rows(20_234, 0, 144) if item["original_context"]]
    assert len(made) > 90
    for item in made:
        answered = {**item, "expected_rag_behavior": "ANSWER_CORRECTLY"}
        assert read(item, [item["original_context"]]) == second_answer(answered), item[
            "id"
        ]


def test_each_kind_of_planted_fault_is_found() -> None:
    """A proof that cannot fail proves nothing."""
    found = {"other passage": 0, "other value": 0, "value struck out": 0}
    for index in range(0, 240, 4):
        item = row(20_235, index)
        twin = row(20_235, index + 1)
        # the question of row 0 has its answer in the first passage of a quad, not in
        # the second
        found["other passage"] += read(
            item, [twin["perturbed_context"]]
        ) != second_answer(item)
        gold = item["original_answers"][0]
        text = item["perturbed_context"]
        if gold[-1].isdigit() and not any(
            f"{gold}{digit}" in text for digit in "0123456789.,"
        ):
            changed = text.replace(gold, gold[:-1] + ("1" if gold[-1] != "1" else "2"))
            found["other value"] += read(item, [changed]) != second_answer(item)
            found["value struck out"] += read(
                item, [text.replace(gold, "posted up")]
            ) != second_answer(item)
    assert found["other passage"] == 60
    assert min(found["other value"], found["value struck out"]) > 10
