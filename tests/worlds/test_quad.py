"""Quads: two questions by two passages, answerable crosswise."""

from tests.worlds.conftest import Row


def quads_of(rows: list[Row]) -> list[list[Row]]:
    return [rows[start : start + 4] for start in range(0, len(rows), 4)]


def test_two_questions_by_two_passages_are_answerable_crosswise(
    crossed_rows: list[Row],
) -> None:
    for quad in quads_of(crossed_rows):
        questions = [item["perturbed_query"] for item in quad]
        passages = [item["perturbed_context"] for item in quad]
        answerable = [
            item["expected_rag_behavior"] == "ANSWER_CORRECTLY" for item in quad
        ]
        assert sum(answerable) == 2
        if quad[0]["intrinsic"]:
            assert answerable == [True, False, True, False]
            continue
        assert answerable == [True, False, False, True]
        assert questions[0] == questions[1] != questions[2] == questions[3]
        assert passages[0] == passages[2] != passages[1] == passages[3]
        # the same question about two things
        words = [set(question.split()) for question in (questions[0], questions[2])]
        assert max(len(words[0] - words[1]), len(words[1] - words[0])) <= 1
        assert quad[0]["original_answers"] == quad[1]["original_answers"]
