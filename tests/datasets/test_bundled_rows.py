"""The bundled rows keep the rules that a written candidate has to keep, each under its
own lever.
"""

from collections.abc import Iterator

import pytest

from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ, Benchmark
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.generators.checks import candidate_problems
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.slot import ItemSlot


def pairs(benchmark: Benchmark) -> Iterator[tuple[RefusalItem, RefusalItem]]:
    """Yield every bundled row with the original that it was made of."""
    for row in bundled_rows(benchmark.sample):
        base = benchmark.layout.original_of(row)
        assert base
        yield base, benchmark.layout.item_of(row)


def broken(base: RefusalItem, item: RefusalItem) -> dict[str, str]:
    """Return the rules that a row breaks as a candidate for its own class, intensity
    and lever.
    """
    assert item.perturbation
    slot = ItemSlot(
        base=base,
        perturbation=item.perturbation,
        intensity=item.intensity,
        lever=item.lever,
    )
    cell = [
        x
        for x in bundled_levers()
        if (x.perturbation, x.intensity) == (item.perturbation, item.intensity)
    ]
    assert item.lever in {lever.name for lever in cell}, "the lever is of another cell"
    return candidate_problems(
        slot,
        Candidate(
            query=item.query, passages=item.passages, lever=item.lever, reasoning=""
        ),
        cell,
    )


@pytest.mark.parametrize(
    ("benchmark", "rows"), [(NQ, 72), (GARAGE, 36)], ids=["nq", "garage"]
)
def test_every_bundled_row_keeps_the_rules_of_its_lever(
    benchmark: Benchmark, rows: int
) -> None:
    replayed = {item.item_id: broken(base, item) for base, item in pairs(benchmark)}
    assert len(replayed) == rows
    assert {item_id: rules for item_id, rules in replayed.items() if rules} == {}
