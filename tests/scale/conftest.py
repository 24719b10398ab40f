"""Logs of shards, each evaluated once."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import copy

import pytest

from tests.scale.sharded import Put, evaluated, nq_task


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return the log of a shard of `nq_task`, evaluated once."""

    @cache
    def log_of(shard: str) -> Path:
        place = tmp_path_factory.mktemp("made")
        evaluated(nq_task(shard), str(place))
        return next(place.glob("*.eval"))

    return log_of


@pytest.fixture
def parts(here: Path, made: Callable[..., Path]) -> Put:
    """Put logs of shards of `nq_task` into the folder `parts`, and return where they
    are.
    """

    def put(*shards: str) -> list[Path]:
        (here / "parts").mkdir(exist_ok=True)
        return [Path(copy(made(shard), here / "parts")) for shard in shards]

    return put


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path
