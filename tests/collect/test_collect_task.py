"""A run of `collect` from its parts."""

from collections import Counter

from refusalbench_tasks.collect.collect_solver import collecting
from refusalbench_tasks.datasets.bluff_item import BluffRecord
from tests.collect.panel import (
    metrics,
    noted,
    run,
)
from tests.collect.site import Site


def test_topics_become_checked_records_and_no_page_is_fetched_twice(site: Site) -> None:
    log = run(site.engine(), locks=2)
    assert collecting.__name__ in [
        step.solver.rpartition("/")[2] for step in log.plan.steps
    ]
    found = metrics(log)
    assert (found["n_accepted"], found["yield"], found["yield_n"]) == (2, 1.0, 2)
    # of each record: one list of queries, one question, and three readers of two sets
    assert found["calls_per_accepted"] == 1 + 1 + 3 * 2
    assert max(Counter((host, path) for host, path, _ in site.seen).values()) == 1
    for one in noted(log):
        assert one.record is not None
        BluffRecord.model_validate(one.record.row)
        places = Counter(
            (arm, each["category"])
            for arm in ("clear", "ambiguous")
            for each in one.record.sources(arm)
        )
        assert sorted(places.values()) == [1, 1, 2, 2, 4]
