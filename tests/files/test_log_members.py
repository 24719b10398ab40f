"""Damaged, growing and swollen logs cost one line each, and the others are read."""

import os
import zipfile
from pathlib import Path

import pytest

from refusalbench_tasks.files.log_members import UnreadableLog, read_header, read_sample
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.safe_writing import write_whole
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import row, write_log


def rewritten(path: Path, **members: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, members.get(name.removesuffix(".json"), content))


def test_a_damaged_log_is_left_out_in_plain_words(tmp_path: Path) -> None:
    write_log(tmp_path, "m", [row("1", Label.MISSING)])
    (tmp_path / "2026-01-01T00-00-00_nq_damaged.eval").write_bytes(b"PK\x03\x04 begun")
    found = read_logs([str(tmp_path)])
    assert len(found.refusal) == 1
    assert [reason for _, reason in found.left_out] == [
        "not a readable log of this suite (damaged, cut off or still being written)"
    ]


def test_a_member_that_swells_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(write_log(tmp_path, "m", [row("1", Label.MISSING)]))
    rewritten(path, summaries=b"[" + b" " * 2_000_000 + b"]")
    assert read_header(str(path)).status == "success"
    monkeypatch.setattr("refusalbench_tasks.files.log_members.LARGEST", 1_000_000)
    with pytest.raises(UnreadableLog, match="'summaries.json' unpacks to 2 MB from 0.0 MB; no run writes that"):
        read_header(str(path))
    assert read_sample(str(path), "1", 1) is None


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize(("umask", "mode"), [(0o077, 0o600), (0o022, 0o644), (0o002, 0o664)])
def test_files_follow_the_umask(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "f.txt", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "f.txt").stat().st_mode & 0o777 == mode
    assert [path.name for path in tmp_path.iterdir()] == ["f.txt"]
