"""Templates are filled once, and every defect has a sound and a defective wording."""

from random import Random
from typing import get_args

import pytest

from refusalbench_tasks.worlds.defects import DefectName, defects
from refusalbench_tasks.worlds.document import DOCUMENTS, document, relations
from refusalbench_tasks.worlds.rendering import Item, Style, fill_slots
from refusalbench_tasks.worlds.world import new_world


def test_slots_are_filled_in_one_pass_and_a_becomes_an() -> None:
    assert fill_slots("{x} has a {r}.", x="Eldham", r="oven") == "Eldham has an oven."
    assert fill_slots("a {r} of {v}", r="fee", v=40) == "a fee of 40"
    assert fill_slots("{x}", x="{r}", r="fee") == "{r}"
    with pytest.raises(KeyError):
        fill_slots("{x}", r="fee")


def item_of(name: DefectName) -> Item:
    """Return an item that a defect can befall."""
    defect = defects()[name]
    domain = next(filter(defect.possible, DOCUMENTS))
    rng = Random(name)
    world = new_world(rng, document(domain), 2)
    fitting = [
        relation
        for group in defect.groups
        for relation in relations(domain, group)
        if defect.fits(relation)
    ]
    relation = fitting[0]
    value = world.value(world.names[0], relation)
    shown = frozenset({relation.noun})
    style = Style(world, shown, 2030, "", ("fair", "steep"), 0)
    return Item(style, world.names[0], relation, value, rng)


@pytest.mark.parametrize("name", get_args(DefectName))
def test_what_has_a_defect_is_put_otherwise_than_what_is_sound(
    name: DefectName,
) -> None:
    defect = defects()[name]
    item = item_of(name)
    sound = item.phrase(defect.sound)
    defective = item.phrase(name)
    assert sound.text
    assert sound.cell
    assert sound.statements
    if not defect.is_opinion:
        assert (sound.text, sound.again) != (defective.text, defective.again)
        assert (sound.cell, sound.again) != (defective.cell, defective.again)
        assert sound.statements != defective.statements


def test_a_contradiction_gives_no_value_that_was_right_before() -> None:
    item = item_of("rival")
    world = item.style.world
    former = world.former(item.name, item.relation)
    repeated = {item.phrase("rival").again for _ in range(60)}
    assert len(repeated) > 3
    assert not any(f"{former} " in f"{again} " for again in repeated)
