"""Files on this machine and behind URLs: copies overwrite nothing."""

from pathlib import Path

import fsspec
import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.store import absolute, copy_to, exists


def test_a_path_is_the_same_in_every_folder_and_a_url_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute("logs/nq.eval") == str(tmp_path / "logs" / "nq.eval")
    assert absolute("s3://bucket/nq.eval") == "s3://bucket/nq.eval"


def test_a_copy_makes_its_folder_and_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("first")
    address = "memory://store/parts/1/a"
    assert not exists(address)
    copy_to(str(tmp_path / "a"), address)
    (tmp_path / "a").write_text("second")
    copy_to(str(tmp_path / "a"), address)
    assert exists(address)
    assert fsspec.filesystem("memory").cat("/store/parts/1/a") == b"first"


def test_a_store_that_is_not_known_is_one_line() -> None:
    with pytest.raises(DataError, match="nowhere://x: its store refuses"):
        exists("nowhere://x")
