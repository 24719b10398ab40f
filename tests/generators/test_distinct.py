"""Which accepted items are left."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.generators.distinct import balanced, distinct_items
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import (
    CLASSES,
    PERTURBED,
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


@given(st.lists(st.integers(0, 17), max_size=80), st.integers(1, 4), st.integers(1, 40))
def test_no_stratum_is_short_while_filler_is_drawn(
    cells: list[int], per_stratum: int, total: int
) -> None:
    items = [
        item(str(k), cell=(CLASSES[c // 3], PERTURBED[c % 3]))
        for k, c in enumerate(cells)
    ]
    drawn = balanced(items, per_stratum, total)
    assert len({one.candidate for one in drawn}) == len(drawn) <= total
    if len(drawn) < total:
        have = Counter(cells)
        got = Counter(
            CLASSES.index(one.slot.perturbation) * 3
            + PERTURBED.index(one.slot.intensity)
            for one in drawn
        )
        assert all(got[c] >= min(per_stratum, have[c]) for c in have)


def test_a_draw_depends_on_the_seed_only() -> None:
    items = [item(f"{k}", writer) for writer in ("a/b", "c/d") for k in range(36)]
    drawn = balanced(items, 9, 9)
    assert drawn == balanced(items[::-1], 9, 9)
    assert Counter(one.writer for one in drawn) == {"a/b": 9, "c/d": 9}
    assert balanced(items, 5, 10, seed=1) != balanced(items, 5, 10, seed=2)
    assert len(balanced(items, None, None)) == 72
