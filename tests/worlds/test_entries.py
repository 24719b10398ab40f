"""Entries: handles that lead from names to what is stated."""

from random import Random

import pytest

from refusalbench_tasks.worlds.document import DOCUMENTS, document, form
from refusalbench_tasks.worlds.entries import Entry, number_entries
from refusalbench_tasks.worlds.rendering import Phrase
from refusalbench_tasks.worlds.world import World, new_world


def numbered(world: World, seed: int) -> dict[str, str]:
    names = Random(seed).sample(world.names, len(world.names))
    entries = [Entry(name, {}) for name in names]
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


def test_a_remark_stands_before_behind_or_between_what_an_entry_states() -> None:
    phrases = {"fee": Phrase("the fee is £4"), "deposit": Phrase("no deposit is taken")}
    texts = [Entry("Eldham", phrases, "It is dry.", way).text() for way in range(3)]
    assert texts == [
        "The fee is £4, and no deposit is taken. It is dry.",
        "It is dry. The fee is £4. No deposit is taken.",
        "The fee is £4. It is dry. No deposit is taken.",
    ]
