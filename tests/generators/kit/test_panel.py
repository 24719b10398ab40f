"""A panel: who is on it, in which order it is asked, what it decides, and when a dead
one stops a run.
"""

from dataclasses import replace

import anyio
import pytest
from inspect_ai.model import Model

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit import one_run
from refusalbench_tasks.generators.kit.panel import (
    Ballot,
    JudgePanel,
    consensus,
)
from tests.models import fake


def models(*names: str) -> list[Model]:
    made = [fake(lambda _: "") for _ in names]
    for model, name in zip(made, names, strict=True):
        model.api.model_name = name
    return made


def votes(
    said: dict[str, bool | None], kept: list[Ballot], stop: bool
) -> tuple[list[Ballot], list[str]]:
    asked: list[str] = []

    async def one(model: Model) -> Ballot:
        asked.append(model.name)
        passed = said[model.name]
        return Ballot(
            verifier=str(model),
            digest="d",
            passed=passed,
            failure=None if passed is not None else "no",
        )

    found = anyio.run(JudgePanel().ask, models(*said), one, kept, stop)
    return found, asked


def ballot(name: str, passed: bool | None) -> Ballot:
    return Ballot(verifier=f"mockllm/{name}", digest="d", passed=passed)


def test_asking_stops_at_the_first_fail() -> None:
    found, asked = votes({"a": True, "b": False, "c": True}, [], True)
    assert (asked, [vote.passed for vote in found]) == (["a", "b"], [True, False])
    assert sorted(votes({"a": True, "b": False, "c": True}, [], False)[1]) == [
        "a",
        "b",
        "c",
    ]


def test_kept_votes_are_not_asked_for_again_and_missing_ones_are() -> None:
    found, asked = votes(
        {"a": True, "b": True}, [ballot("a", True), ballot("b", None)], True
    )
    assert (asked, [vote.passed for vote in found]) == (["b"], [True, True])
    assert votes({"a": True, "b": True}, [ballot("a", False)], True)[1] == []


@pytest.mark.parametrize(
    ("cast", "outcome"),
    [
        ([True, True], "accepted"),
        ([True, False], "rejected"),
        ([None, False], "rejected"),
        ([True, None], "undecided"),
        ([True], "undecided"),
    ],
)
def test_unanimity_decides(cast: list[bool | None], outcome: str) -> None:
    given = [ballot(name, passed) for name, passed in zip("ab", cast, strict=False)]
    assert consensus(given, ["mockllm/a", "mockllm/b"]) == outcome
    with pytest.raises(ValueError, match="at least one"):
        consensus(given, [])


def test_failures_in_a_row_stop_a_run_and_an_answer_ends_the_row() -> None:
    (model,) = models("x")
    panel = JudgePanel(max_failures=3)
    for failure in ("502", "503"):
        panel.count(model, failure)
        panel.require_alive([model])
    panel.count(model, "504")
    replace(panel, max_failures=0).require_alive([model])
    with pytest.raises(
        DataError,
        match=r"verifier mockllm/x failed 3 times in a row, last: 504; the run stops",
    ):
        panel.require_alive([model])
    panel.count(model, None)
    panel.require_alive([model])


def test_behind_a_dead_judge_the_next_is_not_paid_for() -> None:
    asked: list[str] = []

    async def fail(model: Model) -> Ballot:
        asked.append(model.name)
        return Ballot(verifier=str(model), digest="d", passed=None, failure="502")

    panel = JudgePanel(max_failures=1)
    judges = models("a", "b")
    anyio.run(panel.ask, judges, fail, [], True)
    assert asked == ["a"]
    with pytest.raises(DataError, match="verifier mockllm/a failed 1 times in a row"):
        panel.require_alive(judges)


def test_only_the_parts_of_one_run_share_failures() -> None:
    (model,) = models("x")
    with one_run():
        setup, scorer = JudgePanel(), JudgePanel()
    setup.count(model, "502")
    assert scorer.failures == {"mockllm/x": ["502"]}
    with one_run():
        assert JudgePanel().failures == {}
    assert JudgePanel().failures == {}
