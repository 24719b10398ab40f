"""Which accepted items are left."""

from refusalbench_tasks.generators.distinct import distinct_items
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import (
    CLASSES,
)
from tests.generators.items import BASE, HIGH, LOW, item


def test_repeats_are_kept_once_and_conflicts_not_at_all() -> None:
    clash = [item("clash"), item("clash", cell=(CLASSES[0], HIGH))]
    same = [item("the same"), item("The SAME.", "c/d"), item("own")]
    found = distinct_items([*same, *clash])
    assert [one.candidate.passages[0] for one in found.items if one.candidate] == [
        "the same",
        "own",
    ]
    assert (found.repeats, found.conflicts) == (1, 2)


def test_what_is_to_be_refused_and_did_not_change_is_left_out() -> None:
    same = Candidate(
        query=BASE.query.upper(), passages=BASE.passages, lever="x", reasoning=""
    )
    for level, left in ((HIGH, 0), (LOW, 1)):
        slot = ItemSlot(base=BASE, perturbation=CLASSES[0], intensity=level, lever="x")
        found = distinct_items([Generated("a", slot, same, (), True)])
        assert (len(found.items), found.unchanged) == (left, 1 - left)


def test_near_duplicates_with_two_labels_go_both_and_others_stay() -> None:
    words = (
        f"{BASE.passages[0]} The keeper of the light at Orrin wrote in the spring of"
        " the year that"
    )
    near = [
        item(f"{words} it rained."),
        item(f"{words} it snowed.", cell=(CLASSES[0], HIGH)),
    ]
    cider = (
        "Nobody knows who planted the pear trees, but every autumn the village gathers"
        " what the wind shakes"
    )
    found = distinct_items(
        [*near, item(f"{BASE.passages[0]} {cider} down, and there is cider for all.")]
    )
    assert (len(found.items), found.near) == (1, 2)
    assert distinct_items([near[0], item(f"{words} it snowed.")]).near == 0
