"""Work that several processes share."""

import os

import pytest

from refusalbench_tasks.logs import parallel
from refusalbench_tasks.logs.parallel import each, each_of, one_thread_each


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
