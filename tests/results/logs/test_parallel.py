"""Work that several processes share."""

import gc
import os
from concurrent.futures import Future

import pytest

from refusalbench_tasks.results.logs import parallel
from refusalbench_tasks.results.logs.parallel import Helpers, as_they_come, each, each_of, one_thread_each


def times(factor: int, item: int) -> tuple[int, int]:
    return factor * item, os.getpid()


def blas_threads() -> set[int]:
    threadpoolctl = pytest.importorskip("threadpoolctl")
    return {one["num_threads"] for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"}


def test_what_is_given_reaches_every_process_and_values_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    shared = each_of(times, 3, [1, 2, 3], "things")
    assert [value for value, _ in shared] == [3, 6, 9]
    assert os.getpid() not in {process for _, process in shared}
    alone = each_of(times, 3, [1, 2, 3], "things", worth_it=False)
    assert alone == [(value, os.getpid()) for value, _ in shared]


def frozen(given: object, item: int) -> int:
    return gc.get_freeze_count()


def test_a_process_that_helps_looks_through_nothing_that_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    here, begun_with = gc.get_freeze_count(), [[k] for k in range(1000)]
    assert min(each_of(frozen, None, [1, 2], "things")) >= here + len(begun_with)
    assert gc.get_freeze_count() <= here


def test_nothing_is_started_for_few_things_or_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    assert each(lambda item: (item, os.getpid()), [1, 2], "things") == [(1, os.getpid()), (2, os.getpid())]
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert each_of(times, 2, [5, 6], "things") == [(10, os.getpid()), (12, os.getpid())]
    assert each_of(times, 2, [], "things") == []


def test_numerical_libraries_have_one_thread_meanwhile_and_as_many_as_before_afterwards() -> None:
    before = blas_threads()
    with one_thread_each():
        assert blas_threads() <= {1}
    assert blas_threads() == before
    assert parallel._GIVEN == []


def failing(_: object, item: int) -> int:
    raise ValueError(f"item {item}")


def test_work_that_follows_from_other_work_is_begun_while_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with Helpers() as helpers:
        helpers.given = 3
        begun = [helpers.begin(times, item) for item in (1, 2)]
        followed = [helpers.begin(times, value) for value, _ in as_they_come(begun, "things")]
        assert [one.result()[0] for one in begun] == [3, 6]
        assert sorted(one.result()[0] for one in followed) == [9, 18]
        assert os.getpid() not in {one.result()[1] for one in (*begun, *followed)}
        assert helpers.begin(times, 4, worth_it=False).result() == (12, os.getpid())


def fail_in_helpers(begun: list[Future[int]]) -> None:
    with Helpers() as helpers:
        begun += [helpers.begin(failing, item) for item in (1, 1, 1)]
        list(as_they_come(begun, "things"))


def test_what_a_helper_raises_is_raised_and_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    begun: list[Future[int]] = []
    with pytest.raises(ValueError, match="item 1"):
        fail_in_helpers(begun)
    assert len(begun) == 3
    assert all(one.done() for one in begun)


def test_on_one_core_work_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    with Helpers() as helpers:
        helpers.given = 2
        assert helpers.begin(times, 5).result() == (10, os.getpid())
        assert list(as_they_come([helpers.begin(times, 1)], "things")) == [(2, os.getpid())]
