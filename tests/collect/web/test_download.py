"""One request."""

import gzip
import tracemalloc

import pytest

from refusalbench_tasks.collect.web import download


def test_a_bomb_is_never_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "LARGEST", 200_000)
    bomb = gzip.compress(b"\0" * 30_000_000)
    tracemalloc.start()
    assert len(download.unpacked(bomb, "gzip")) == download.LARGEST + 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000
