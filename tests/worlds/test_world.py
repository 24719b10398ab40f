"""Worlds: names that cannot be mistaken, and values that make sense together."""

from random import Random

import pytest

from refusalbench_tasks.worlds.document import DOCUMENTS, document, names, relations
from refusalbench_tasks.worlds.world import new_world


@pytest.mark.parametrize("domain", DOCUMENTS)
def test_no_name_is_a_part_of_another(domain: str) -> None:
    kind = document(domain)
    world = new_world(Random(domain), kind, 5, names().of(kind))
    used = [*world.names, *world.others]
    assert len(world.names) == 5
    for name in used:
        assert [other for other in used if name in other] == [name]


@pytest.mark.parametrize("domain", DOCUMENTS)
def test_values_do_not_depend_on_what_is_asked_for_first(domain: str) -> None:
    of_domain = relations(domain, "values")
    worlds = [new_world(Random(7), document(domain), 2) for _ in range(2)]
    name = worlds[0].names[0]
    forwards = {r.noun: worlds[0].value(name, r) for r in of_domain}
    backwards = {r.noun: worlds[1].value(name, r) for r in of_domain[::-1]}
    assert forwards == backwards


def test_what_is_always_less_is_less_also_in_another_value() -> None:
    kind = document("halls")
    by_noun = {relation.noun: relation for relation in kind.values}
    for seed in range(40):
        world = new_world(Random(seed), kind, 1)
        (name,) = world.names
        rng = Random(seed)
        for less, more in kind.order:
            smaller = world.value(name, by_noun[less])
            greater = world.value(name, by_noun[more])
            assert smaller.number < greater.number
            former = world.former(name, by_noun[less])
            other = world.another(rng, name, by_noun[less], [former])
            assert other not in (smaller, former)
            assert other.number < greater.number
