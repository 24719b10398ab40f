"""Quads: two questions by two passages, answerable crosswise."""

from contextlib import suppress

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.quad import Design, make_quad
from refusalbench_tasks.worlds.solve import Impure, solve
from refusalbench_tasks.worlds.statement import Ask, Named
from tests.worlds.conftest import SEED, Row


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
        assert answerable[0] != answerable[1]
        assert answerable[2] != answerable[3]
        if quad[0]["intrinsic"]:
            continue
        assert questions[0] == questions[1] != questions[2] == questions[3]
        assert passages[0] != passages[1]
        assert {*passages[:2]} == {*passages[2:]}
        # the passage that answers one question does not answer the other
        right = [
            passage
            for passage, is_right in zip(passages, answerable, strict=True)
            if is_right
        ]
        assert right[0] != right[1]
        # the same question about two things
        words = [set(question.split()) for question in (questions[0], questions[2])]
        assert max(len(words[0] - words[1]), len(words[1] - words[0])) <= 1
        assert quad[0]["original_answers"] == quad[1]["original_answers"]


def test_positions_do_not_tell_which_rows_are_answerable(
    crossed_rows: list[Row],
) -> None:
    for position in range(4):
        labels = [item["expected_rag_behavior"] for item in crossed_rows[position::4]]
        share = labels.count("ANSWER_CORRECTLY") / len(labels)
        assert 0.4 < share < 0.6


def test_a_passage_has_defects_of_several_classes_besides_that_of_its_rows() -> None:
    several = 0
    for index in range(60):
        quad = make_quad(SEED, index, DOCUMENTS)
        for cell in quad.cells:
            stated = {
                (statement.thing, statement.relation)
                for statement in cell.passage.statements
                if not isinstance(statement, Named)
            }
            labels = set()
            for name in quad.world.names:
                for _, relation in sorted(stated):
                    with suppress(Impure):
                        ask = Ask("value", name, relation)
                        labels.add(solve(cell.passage.statements, ask).label)
            # of things that the passage does not speak of nothing is told either
            several += len(labels - {Label.ANSWER, Label.MISSING}) >= 2
    assert several > 0.9 * 240


def test_without_crossing_the_asked_fact_alone_has_a_defect() -> None:
    for index in range(12):
        quad = make_quad(SEED, index, DOCUMENTS, Design(crossed=False))
        relation = quad.relations[1].noun
        for cell in quad.cells:
            ask = Ask("value", cell.ask.name, relation)
            assert solve(cell.passage.statements, ask).answer is not None
