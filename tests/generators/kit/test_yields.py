"""How much of what was planned came out, worked by hand."""

import math

from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.generators.kit.yields import (
    acceptance_by_group,
    count_names,
    yields,
)


def score(shard: int, planned: int, calls: float = 2) -> SampleScore:
    value = {"calls": calls, "tokens": 10.0}
    return SampleScore(
        score=Score(value=value), sample_metadata={"shard": shard, "planned": planned}
    )


def test_plans_of_shards_add_up_and_costs_are_per_accepted_thing() -> None:
    values = yields([score(1, 3), score(1, 3), score(2, 4, math.nan)], 2, 3)
    assert values == {
        "yield": 2 / 7,
        "yield_n": 7,
        "calls": 4,
        "calls_per_accepted": 2,
        "tokens_per_accepted": 15,
    }
    assert yields([score(0, 1)], 0, 5)["yield_n"] == 5
    assert math.isnan(yields([score(0, 1)], 0, 5)["calls_per_accepted"])


def test_groups_and_names_are_counted() -> None:
    assert acceptance_by_group([("b", True), ("a", False), ("b", False)]) == {
        "a/acceptance": 0,
        "a/n": 1,
        "b/acceptance": 1 / 2,
        "b/n": 2,
    }
    assert count_names("check/", ["x", "y", "x"]) == {"check/x": 2, "check/y": 1}
