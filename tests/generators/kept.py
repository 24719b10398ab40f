"""Generated items as an export sees them."""

from collections.abc import Sequence

import numpy as np

from refusalbench_tasks.generators.balance import Distinct, distinct_items
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.grams import GramSets, Numbers, changed_grams, input_digest
from refusalbench_tasks.generators.near_duplicates import NEAR, Near, near_duplicates


def changed(item: Generated) -> Numbers:
    """Return what an item changed."""
    (query, passages), base = item.key, item.slot.base
    grams, _ = changed_grams([[(base.query, query), *zip(base.passages, passages, strict=True)]])
    return grams


def distinct(items: Sequence[Generated]) -> Distinct[Generated]:
    """Return the items without repeats, conflicts and near-duplicates."""
    inputs = [np.frombuffer(input_digest(*item.key), np.uint64) for item in items]
    return distinct_items(items, np.array(inputs), GramSets.of([changed(item) for item in items]))


def near(items: Sequence[Generated], least: float = NEAR) -> list[Near[Generated]]:
    """Return the near-duplicates among items."""
    return near_duplicates(items, GramSets.of([changed(item) for item in items]), least)
