"""Entries: handles that lead from names to what is stated."""

from random import Random

import pytest

from refusalbench_tasks.worlds.document import DOCUMENTS, document, form
from refusalbench_tasks.worlds.entries import Entry, number_entries
from refusalbench_tasks.worlds.world import World, new_world


def numbered(world: World, seed: int) -> dict[str, str]:
    names = Random(seed).sample(world.names, len(world.names))
    entries = [Entry(name, name, 0, {}) for name in names]
    number_entries(world, entries, Random(seed))
    return {entry.name: entry.handle for entry in entries}


@pytest.mark.parametrize("domain", DOCUMENTS)
def test_each_entry_has_a_handle_of_its_own_in_the_order_of_the_document(
    domain: str,
) -> None:
    world = new_world(Random(domain), document(domain), 5)
    handles = list(numbered(world, 1).values())
    assert len(set(handles)) == 5
    assert all(handles)
    if form(document(domain).form).handle in ("model", "number", "code"):
        # things bear these numbers themselves, in whatever document
        assert numbered(world, 1) == numbered(world, 2)
        assert handles == sorted(handles)
