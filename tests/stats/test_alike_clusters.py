"""Of clusters with rows of the same kinds one is held, with how many they are."""

from collections import Counter, defaultdict
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.stats.alike_clusters import alike_clusters
from refusalbench_tasks.stats.cluster import without_gaps

ROWS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=1, max_size=40)


def contents(places: list[int], which: list[int]) -> dict[int, tuple[int, ...]]:
    held = defaultdict(list)
    for place, kind in zip(places, which, strict=True):
        held[place].append(kind)
    return {place: tuple(sorted(kinds)) for place, kinds in held.items()}


@given(ROWS)
def test_each_content_of_a_cluster_is_there_once_with_the_number_of_its_clusters(rows: list[tuple[int, int]]) -> None:
    places, _ = without_gaps(np.array([place for place, _ in rows], np.intp))
    which = np.array([kind for _, kind in rows], np.int32)
    found = alike_clusters(places, which, 4)
    held = contents(found.places.tolist(), found.which.tolist())
    assert list(held) == list(range(len(found.numbers)))
    due = Counter(contents(places.tolist(), which.tolist()).values())
    assert {held[place]: n for place, n in enumerate(found.numbers.tolist())} == due


@given(ROWS, st.randoms())
def test_the_order_of_rows_and_clusters_changes_nothing(rows: list[tuple[int, int]], random: Random) -> None:
    def of(given: list[tuple[int, int]], renamed: dict[int, int]) -> list[list[int]]:
        places, _ = without_gaps(np.array([renamed[place] for place, _ in given], np.intp))
        found = alike_clusters(places, np.array([kind for _, kind in given], np.int32), 4)
        return [each.tolist() for each in found]

    others, names = list(rows), list(range(9))
    random.shuffle(others)
    random.shuffle(names)
    assert of(others, dict(enumerate(names))) == of(rows, dict(enumerate(range(9))))
