"""Questions with sources: values that cannot be mistaken for one another."""

from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.source_question import make_question
from refusalbench_tasks.worlds.sources import SOURCES, SPEAKERS


def test_the_values_of_a_question_are_all_different() -> None:
    for index in range(72):
        question = make_question(5, index, DOCUMENTS)
        matters = (question.full, question.short)
        values = [value for matter in matters for value in (matter.value, matter.rival)]
        assert len(set(values)) == 4
        assert question.gold == question.full.value
        bounds = question.short.upto
        if bounds:
            assert question.short.value.number < question.gold.number < bounds[0].number


def test_a_question_has_its_speakers_in_any_order() -> None:
    orders = set()
    for index in range(24):
        slots = make_question(5, index, DOCUMENTS).slots
        roles = tuple(slot.role for slot in slots)
        assert sorted(roles) == list(range(SOURCES))
        assert len({slot.persona.name for slot in slots}) == SOURCES
        orders.add(roles)
    assert len(orders) > SPEAKERS
