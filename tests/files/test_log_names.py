"""Logs are found as Inspect finds them, and none is opened for it."""

import os
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs

from refusalbench_tasks.files.log_names import log_names

NAMES = (
    "0.eval",
    "2026-01-02T03-04-05+00-00_nq_abc.eval",
    "2026-01-02T03-04-05+00-00_nq_def.json",
    "deep/er/1.eval",
    "deep/2026-01-02.json",
    "deep/notes.json",
    "deep/2026-01-02T03-04-05+00-00_nq_def.jsonl",
    "eval",
    ".hidden/2.eval",
    "a b#%.eval",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for k, name in enumerate(NAMES):
        path = tmp_path / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        # neither the order of the names nor that of the folder
        os.utime(path, (1_000_000 + k * 7 % 5, 1_000_000 + k * 7 % 5))
    (tmp_path / "logs" / "folder.eval").mkdir()
    return tmp_path / "logs"


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("name", ["", "deep", *NAMES, "folder.eval", "none", "none.eval"])
def test_names_and_their_order_are_those_of_inspect(folder: Path, name: str, descending: bool) -> None:
    for place in (str(folder / name), (folder / name).as_uri()):
        expected = [info.name for info in list_eval_logs(place, descending=descending)]
        assert log_names(place, descending) == expected


def test_a_relative_path_is_taken_from_where_the_command_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert log_names("deep") == [info.name for info in list_eval_logs("deep")] == [(folder / "deep/er/1.eval").as_uri()]


def test_no_log_is_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*args: object, **kwargs: object) -> None:
        raise AssertionError("opened")

    monkeypatch.setattr("inspect_ai.log._file.read_eval_log", opened)
    assert len(log_names(str(folder))) == 6
