"""What stands beside the facts that a lever states."""

from random import Random

import pytest

from refusalbench_tasks.worlds.company import MOST, distractors
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import EVERYDAY, pack
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
