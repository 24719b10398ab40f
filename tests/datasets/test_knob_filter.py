"""Conditions on the knobs of rows."""

import pytest

from refusalbench_tasks.arguments import names_of
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.selection import with_knobs
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label


def item(name: str, **knobs: float | str) -> RefusalItem:
    return RefusalItem(
        item_id=name, source_id=name, query="q", passages=("p",), answers=("a",), expected=Label.ANSWER, knobs=knobs
    )


ITEMS = [item("a", hops=1, register="memo"), item("b", hops=2, register="table"), item("c", hops=3, register="table")]


@pytest.mark.parametrize(
    "stated, kept",
    [
        (None, "abc"),
        ("hops=2", "b"),
        ("hops>=2", "bc"),
        ("hops<=2,register=table", "b"),
        (" register = table , hops >= 3 ", "c"),
        # what Inspect's command line makes of a comma list
        (["hops<=2", "register=table"], "b"),
    ],
)
def test_items_that_satisfy_every_condition_are_kept_in_order(stated: str | list[str] | None, kept: str) -> None:
    assert "".join(one.item_id for one in with_knobs(ITEMS, names_of(stated))) == kept


def test_an_item_without_the_knob_is_left_out() -> None:
    assert with_knobs([*ITEMS, item("d")], ["hops>=1"]) == ITEMS


@pytest.mark.parametrize(
    "stated, problem",
    [
        ("hops", "'hops' is no condition"),
        ("depth=2", "no row has 'depth'; known: hops, register"),
        ("register>=3", "'register' has words"),
        ("hops=two", "'hops' has numbers, not 'two'"),
    ],
)
def test_a_bad_condition_is_one_line(stated: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        with_knobs(ITEMS, names_of(stated))
