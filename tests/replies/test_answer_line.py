"""How a reply is cut into its answer line and its explanation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.answer_line import read_explained
from tests.golden import golden, needs_golden


@pytest.mark.parametrize(
    ("reply", "answer", "explanation"),
    [
        ("It is 5.", "It is 5.", ""),
        ("It is 5.\n\nBecause of a.\nAnd b.", "It is 5.", "Because of a.\nAnd b."),
        ("**Answer:** It is 5.\nExplanation: because", "It is 5.", "because"),
        ("Confidence: 0.85/1.0\nParis", "Paris", ""),
        ("Reasoning: x says y.\nAnswer: I don't know", "I don't know", "x says y."),
        ("<think>It is 4.</think>It is 5.", "It is 5.", ""),
        ("**I don't know**", "I don't know", ""),
        ("\n ---\n", "", ""),
        ("From the sources:\nIt is 5.", "It is 5.", "From the sources:"),
        ("From the sources:\n**Answer:** It is 5.", "It is 5.", "From the sources:"),
        ("Answer: from the guide:\n\nIt is 5.", "It is 5.", "from the guide:"),
        ("根据来源：\n5年", "5年", "根据来源:"),
        ("Here it is:", "Here it is:", ""),
        ('```json\n{"answer": "5"}\n```', '{"answer": "5"}', ""),
    ],
)
def test_reading(reply: str, answer: str, explanation: str) -> None:
    found = read_explained(reply)
    assert (found.answer, found.explanation) == (answer, explanation)


@needs_golden
def test_official_code_reads_as_the_released_evaluator() -> None:
    for case in golden("parse_response"):
        found = read_explained(case["response"], "official-code")
        assert (found.answer, found.explanation) == (
            case["answer"],
            case["explanation"],
        )


@given(st.text())
def test_any_text_can_be_read(reply: str) -> None:
    assert "\n" not in read_explained(reply).answer
    read_explained(reply, "official-code")


def test_a_line_of_citations_alone_is_no_answer_line() -> None:
    read = read_explained("[2], [3]\nThe fee is 3 %.")
    assert (read.answer, read.explanation) == ("The fee is 3 %.", "[2], [3]")
    assert read_explained("Answer: [2]\n[1][4]").answer == ""
