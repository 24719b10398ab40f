"""Personas: both levels of each are told in as many sentences."""

from refusalbench_tasks.worlds.persona import script
from refusalbench_tasks.worlds.sources import SOURCES


def test_the_cues_of_both_levels_stand_in_one_order() -> None:
    for persona in script().personas:
        for part in ("opening", "evidence"):
            reliable = getattr(persona.cues("reliable"), part)
            doubtful = getattr(persona.cues("doubtful"), part)
            assert len(reliable) == len(doubtful) >= 2
            assert not set(reliable) & set(doubtful)


def test_there_are_enough_personas_and_sentences() -> None:
    assert len(script().personas) >= SOURCES
    assert len(script().current) == len(script().former) >= 3
    assert len(script().exact) == len(script().vague) >= 3
