"""What stands beside the facts that a lever states."""

from random import Random

import pytest

from refusalbench_tasks.worlds.company import MOST, SHORTEST, distractors, idle
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import EVERYDAY, pack
from refusalbench_tasks.worlds.passage import REGISTERS, passage
from refusalbench_tasks.worlds.scene import new_scene
from refusalbench_tasks.worlds.statement import Fact


@pytest.mark.parametrize("domain", EVERYDAY)
def test_nothing_is_told_twice(domain: str) -> None:
    of, pronouns = pack(domain), 0
    for seed in range(12):
        rng = Random(seed)
        scene = new_scene(rng, of, rng.choice(of.relations), Names(rng))
        blocks = distractors(scene, MOST)
        told = [(said.subject, said.relation) for one in blocks for said in one.statements if isinstance(said, Fact)]
        assert len(told) == len(set(told))
        pronouns += sum(len(one.sentences) == 2 for one in blocks)
    assert pronouns


@pytest.mark.parametrize("register", REGISTERS)
def test_no_passage_is_too_short_even_if_facts_stand_in_a_table(register: str) -> None:
    of = pack("labs")
    for seed in range(12):
        rng = Random(seed)
        scene = new_scene(rng, of, rng.choice(of.relations), Names(rng))
        blocks = distractors(scene, 3)
        text = passage([*blocks, *idle(scene, blocks, register)], register, of, rng)
        assert sum(any(map(str.isalnum, word)) for word in text.split()) >= SHORTEST
