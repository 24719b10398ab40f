"""The metrics of collected records, worked by hand."""

import math

import pytest
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.collect.metrics import collection_values
from refusalbench_tasks.collect.record import COLLECT, NotedRecord
from refusalbench_tasks.judging.ask import Spent

ENDS: tuple[tuple[bool | None, str, str | None], ...] = (
    (True, "panel", None),
    (False, "panel", "weak"),
    (None, "queries", "writer_truncated"),
)


def scored(accepted: bool | None, stage: str, reason: str | None) -> SampleScore:
    noted = NotedRecord(
        id="a",
        topic="t",
        accepted=accepted,
        stage=stage,
        reason=reason,
        looked={"searches": 2, "left_out/failed: status 404": 1},
    )
    spent = Spent(calls=3, tokens=10)
    score = COLLECT.score(noted, spent, "x" if accepted is not None else None, {})
    return SampleScore(score=score, sample_metadata={"planned": 4})


def test_the_hand_worked_run() -> None:
    found = collection_values([scored(*end) for end in ENDS])
    assert found == pytest.approx(
        {
            "n_records": 3,
            "n_accepted": 1,
            "n_rejected": 1,
            "n_undecided": 1,
            "acceptance": 1 / 2,
            "acceptance_n": 2,
            "acceptance_low": 1 / 3,
            "acceptance_high": 2 / 3,
            "acceptance_bounds_n": 3,
            "yield": 1 / 4,
            "yield_n": 4,
            "calls": 9,
            "calls_per_accepted": 9,
            "tokens_per_accepted": 30,
            "rejected/panel/weak": 1,
            "undecided/queries/writer_truncated": 1,
            "searches": 6,
            "hits": 0,
            "pages": 0,
            "left_out/failed": 3,
        }
    )
    assert math.isnan(collection_values([scored(*ENDS[2])])["acceptance"])
