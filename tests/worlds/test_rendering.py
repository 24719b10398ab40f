"""Templates are filled once, and every defect has a sound and a defective wording."""

from random import Random
from typing import get_args

import pytest

from refusalbench_tasks.worlds.defects import DefectName, defects
from refusalbench_tasks.worlds.document import DOCUMENTS, document, relations
from refusalbench_tasks.worlds.rendering import KINDS, Item, Style, fill_slots
from refusalbench_tasks.worlds.world import new_world


def test_slots_are_filled_in_one_pass_and_a_becomes_an() -> None:
    assert fill_slots("{x} has a {r}.", x="Eldham", r="oven") == "Eldham has an oven."
    assert fill_slots("a {r} of {v}", r="fee", v=40) == "a fee of 40"
    assert fill_slots("{x}", x="{r}", r="fee") == "{r}"
    with pytest.raises(KeyError):
        fill_slots("{x}", r="fee")


@pytest.mark.parametrize("name", get_args(DefectName))
def test_what_has_a_defect_is_put_otherwise_than_what_is_sound(
    name: DefectName,
) -> None:
    defect = defects()[name]
    domain = next(filter(defect.possible, DOCUMENTS))
    rng = Random(name)
    world = new_world(rng, document(domain), 2)
    pick = dict.fromkeys((*KINDS, "senses", "grades"), 0)
    relation = next(filter(defect.fits, relations(domain, defect.group)))
    value = world.value(world.names[0], defect.group, relation)
    style = Style(world, defect, frozenset({relation.noun}), 2030, pick)
    item = Item(style, world.names[0], world.names[0], relation, value, 1, rng)
    sound = item.phrase(sound=True)
    defective = item.phrase(sound=False)
    assert sound.text
    assert sound.statements
    if not defect.is_opinion:
        assert (sound.text, sound.second) != (defective.text, defective.second)
        assert sound.statements != defective.statements
