"""Questions that stand in documents with their answers."""

import pytest

from refusalbench_tasks.own.questions.faq_questions import questions_in
from tests.own.questions.company import CORPUS, FAQ, chunk


def test_a_heading_that_asks_is_answered_by_the_first_sentence_below() -> None:
    found = questions_in(CORPUS)
    assert [(question.text, question.chunk) for question in found] == [
        (text, CORPUS[k]) for k, text in enumerate(FAQ)
    ]
    assert found[0].answers == ("A tool may be kept for fourteen days.",)


def test_only_the_first_chunk_of_a_section_answers_its_heading() -> None:
    later = chunk(
        "Who repairs a broken tool?", "More of the same section, at length.", "faq.md"
    )
    assert len(questions_in((*CORPUS, later))) == len(FAQ)


def test_lines_of_an_faq_ask_and_are_not_in_the_passage() -> None:
    text = (
        "**Q: May I bring a dog?**\n\nA: Yes, on a lead. It is wiped first.\n\nWhere do"
        " I park?\nBehind the dairy."
    )
    first, second = questions_in([chunk("Visits", text, "visits.md")])
    assert (first.text, first.answers) == ("May I bring a dog?", ("Yes, on a lead.",))
    assert (second.text, second.answers) == ("Where do I park?", ("Behind the dairy.",))
    assert (
        first.context
        == second.context
        == "A: Yes, on a lead. It is wiped first.\n\nBehind the dairy."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Is it so? Who knows that now? Nobody does.",
        "Why?\nBecause.",
        "What is on the shelf?\n| a | b |",
    ],
)
def test_a_rhetorical_or_bare_question_is_none(text: str) -> None:
    assert questions_in([chunk("Visits", text, "visits.md")]) == []
