"""The documents of a world for a corpus: none of them changes what a row asks for."""

import pytest

from refusalbench_tasks.datasets.worlds import WorldDocuments, world_documents
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.near_twins import documents_of
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.quad_rows import row

QUADS = range(28)
"""Two of each defect."""


@pytest.fixture(scope="module")
def worlds() -> list[WorldDocuments]:
    return [documents_of(3, index, DOCUMENTS) for index in QUADS]


def test_the_documents_of_a_world_are_those_of_its_rows(
    worlds: list[WorldDocuments],
) -> None:
    for index, world in enumerate(worlds):
        first = row(3, 4 * index)
        assert world.source == first["source_id"]
        if first["original_context"]:
            assert first["original_context"] in world.originals
        quad = make_quad(3, index, DOCUMENTS)
        assert {cell.ask.name for cell in quad.cells} <= set(world.asked)


def test_most_documents_on_other_matters_leave_every_row_as_it_is(
    worlds: list[WorldDocuments],
) -> None:
    # nine are drawn, and those that the solver objects to are left out
    assert sum(len(world.near) for world in worlds) > 7 * len(worlds)


def test_an_inquiry_holds_the_question_and_no_gold_answer(
    worlds: list[WorldDocuments],
) -> None:
    inquired = 0
    for index, world in enumerate(worlds):
        for position in range(4):
            asked = row(3, 4 * index + position)
            for text in world.near:
                if asked["perturbed_query"] in text:
                    inquired += 1
                    rest = text.replace(asked["perturbed_query"], "")
                    # "no" and "7" are also parts of "no. 27"
                    if asked["answer_type"] in ("flag", "count"):
                        continue
                    assert asked["original_answers"][0] not in rest
    assert 0 < inquired < 4 * len(worlds)


def test_worlds_go_on_without_an_end_and_depend_on_their_place_alone() -> None:
    from_start = world_documents(3, 0)
    first, second = next(from_start), next(from_start)
    assert next(world_documents(3, 4)) == second
    assert first != second
