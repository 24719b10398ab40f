"""Which items are drawn."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.generators.balance import balanced
from refusalbench_tasks.taxonomy import (
    CLASSES,
    PERTURBED,
)
from tests.generators.items import item


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
