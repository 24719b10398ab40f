"""Why a run of `perturb` accepted nothing, by what its scores note."""

from typing import Any

import pytest
from inspect_ai.scorer import Score

from refusalbench_tasks.generators.perturb_record import PERTURB


@pytest.mark.parametrize(
    ("answer", "noted", "reasons"),
    [
        ("accepted", {"broken": ["wrong_lever"]}, []),
        (None, {}, ["writer_no_payload"]),
        ("rejected", {"broken": ["wrong_lever"]}, ["check/wrong_lever"]),
        ("rejected", {}, ["reading"]),
    ],
)
def test_the_first_step_that_objects_is_the_reason(
    answer: str | None, noted: dict[str, Any], reasons: list[str]
) -> None:
    score = Score(
        value=0,
        answer=answer,
        reason=None if answer else "writer_no_payload",
        metadata={"slot_id": "s", **noted},
    )
    assert list(PERTURB.why_not_accepted(score)) == reasons
