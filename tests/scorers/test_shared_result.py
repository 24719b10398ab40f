"""What the scorers of one sample share."""

import asyncio

import pytest
from inspect_ai.model import ModelName
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import CallFailed
from refusalbench_tasks.scorers.refusal_decision import Decision
from refusalbench_tasks.scorers.shared_result import (
    carrying,
    shared,
    verdict_of,
)
from refusalbench_tasks.taxonomy import Label

EARLIER = Decision("x", "free text", label=Label.OTHER)
NEW = Decision("x", "free text", label=Label.ANSWER)


def found(score: Score | None, settings: object, error: Exception | None = None) -> str:
    """Return what a scorer goes by, behind another scorer's score."""
    state = TaskState(
        model=ModelName("none/none"),
        sample_id="i",
        epoch=1,
        input="x",
        messages=[],
    )
    state.scores = {"a": score} if score else {}

    async def find() -> Decision:
        if error is not None:
            raise error
        return NEW

    def failed(problem: str) -> Decision:
        return Decision("", "empty", explanation=problem)

    decision = asyncio.run(shared(state, settings, find, failed))
    return decision.explanation or ("earlier" if decision is EARLIER else "new")


def test_a_finding_is_for_scorers_of_the_same_pass_with_the_same_settings() -> None:
    score = carrying(Score(value="C"), ("judge", "always"), EARLIER)
    assert found(score, ("judge", "always")) == "earlier"
    assert found(score, ("judge", "offline")) == "new"
    assert found(None, ("judge", "always")) == "new"
    # what a log holds of the score has no finding: `inspect score --action append` asks
    # its own judge
    logged = Score.model_validate_json(score.model_dump_json())
    assert found(logged, ("judge", "always")) == "new"


def test_an_error_of_our_own_code_costs_the_row_and_any_other_ends_it() -> None:
    assert found(None, None, KeyError("x")) == "KeyError: 'x'"
    with pytest.raises(DataError):
        found(None, None, DataError("bad"))
    with pytest.raises(ConnectionError):
        found(None, None, CallFailed(ConnectionError("gone")))


def test_what_is_unknown_is_no_verdict() -> None:
    assert (verdict_of(True), verdict_of(False)) == ("C", "I")
    assert verdict_of(None) != verdict_of(None)
