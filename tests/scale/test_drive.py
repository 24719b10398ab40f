"""Shards side by side: how many at once, when no more are begun, and that an end stops all."""

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale import ray_run
from refusalbench_tasks.scale.drive import MOST_FAILURES, drive
from refusalbench_tasks.scale.resources import Resources
from refusalbench_tasks.scale.shard_run import Outcome


class Fake:
    """Ends the shard that began first; `bad` ones fail, and `end` is raised instead of an outcome."""

    def __init__(self, bad: frozenset[int] = frozenset(), end: BaseException | None = None) -> None:
        self.bad, self.end = bad, end
        self.running: list[int] = []
        self.begun: list[int] = []
        self.most, self.stopped = 0, 0

    def start(self, shard: int) -> None:
        self.running.append(shard)
        self.begun.append(shard)
        self.most = max(self.most, len(self.running))

    def wait(self) -> Outcome:
        if self.end and len(self.begun) > 3:
            raise self.end
        shard = self.running.pop(0)
        return Outcome(shard, shard not in self.bad, 1, 0.0)

    def stop(self) -> None:
        self.stopped += 1


@given(st.integers(0, 40), st.integers(1, 10))
def test_every_shard_is_begun_once_and_never_more_than_may_be(shards: int, at_once: int) -> None:
    runner, told = Fake(), list[Outcome]()
    outcomes = drive(range(1, shards + 1), at_once, runner, told.append)
    assert runner.begun == list(range(1, shards + 1))
    assert sorted(one.shard for one in outcomes) == runner.begun
    assert told == outcomes
    assert runner.most == min(shards, at_once)
    assert runner.stopped == 0


def test_failures_one_after_the_other_stop_what_would_fail_too() -> None:
    runner = Fake(bad=frozenset(range(1, 100)))
    outcomes = drive(range(1, 100), 2, runner, lambda _: None)
    # three failures, and the one that ran beside the third
    assert [one.shard for one in outcomes] == [1, 2, 3, 4]
    assert MOST_FAILURES == 3


def test_single_failures_leave_the_others_alone() -> None:
    runner = Fake(bad=frozenset({1, 2, 5, 6}))
    assert len(drive(range(1, 9), 1, runner, lambda _: None)) == 8


@pytest.mark.parametrize("end", [KeyboardInterrupt(), RuntimeError("lost")])
def test_whatever_ends_it_stops_the_work_on_all(end: BaseException) -> None:
    runner = Fake(end=end)
    with pytest.raises(type(end)):
        drive(range(1, 9), 4, runner, lambda _: None)
    assert runner.stopped == 1


def test_a_cluster_that_cannot_be_reached_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(**_: object) -> None:
        raise Exception("The current node timed out\nduring startup.")  # as Ray does

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False, init=init))
    with pytest.raises(DataError, match=r"Ray: no cluster at a:1 \(The current node timed out during startup"):
        ray_run.connect("a:1")
    with pytest.raises(DataError, match="Ray: it did not start here"):
        ray_run.connect(None)


def test_without_ray_the_extra_and_the_way_without_it_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DataError, match=r"pip install 'refusalbench-tasks\[cluster\]', or use --local-processes N"):
        ray_run.connect(None)


@pytest.mark.parametrize(
    "total, asked, found",
    [
        ({"CPU": 8.0}, Resources(2), 4),
        ({"CPU": 8.0, "GPU": 2.0}, Resources(1, 1), 2),
        ({"CPU": 8.0}, Resources(1, 1), 1),  # none has a GPU: Ray waits until one does
        ({"CPU": 8.0, "GPU": 1.0}, Resources(1, 0.25), 4),
        ({"CPU": 1.5}, Resources(2), 1),
    ],
)
def test_as_many_shards_run_at_once_as_the_cluster_has_room_for(
    total: dict[str, float], asked: Resources, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(cluster_resources=lambda: total))
    assert ray_run.room(asked) == found
