"""A folder is replaced whole or not at all."""

import os
from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files import folders
from refusalbench_tasks.files.folders import write_folder
from refusalbench_tasks.files.writing import write_whole

FIRST = {"rows.jsonl": "1", "tables/a.csv": "1", "tables/b.csv": "1"}
SECOND = {"rows.jsonl": "2", "tables/a.csv": "2"}


def content(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def siblings(folder: Path) -> list[str]:
    return [path.name for path in folder.parent.iterdir()]


@pytest.fixture(params=[True, False], ids=["ours alone", "beside a file of the user's"])
def earlier(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    write_folder(tmp_path / "out", FIRST)
    if not request.param:
        (tmp_path / "out/tables/notes.md").write_text("mine")
    return tmp_path / "out"


def test_what_an_earlier_run_wrote_goes_and_what_else_is_there_stays(earlier: Path) -> None:
    mine = {name: text for name, text in content(earlier).items() if text == "mine"}
    write_folder(earlier, SECOND, list(FIRST))
    assert content(earlier) == SECOND | mine
    assert siblings(earlier) == ["out"]


@pytest.mark.parametrize("linked", [True, False])
def test_a_file_holds_what_another_one_does_whatever_the_file_system_can(
    linked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(source: Path, path: Path) -> None:
        raise OSError(18, "Invalid cross-device link")

    if not linked:
        monkeypatch.setattr(os, "link", cannot)
    (tmp_path / "spool").write_bytes(b"1\n2\n")
    for _ in range(2):
        write_folder(tmp_path / "out", {"rows.jsonl": tmp_path / "spool"})
    assert (tmp_path / "out/rows.jsonl").samefile(tmp_path / "spool") == linked
    (tmp_path / "spool").unlink()
    assert content(tmp_path / "out") == {"rows.jsonl": "1\n2\n"}
    with pytest.raises(DataError, match=r"rows.jsonl: cannot be written \(No such file"):
        write_folder(tmp_path / "out", {"rows.jsonl": tmp_path / "spool"})
    assert content(tmp_path / "out") == {"rows.jsonl": "1\n2\n"}


@pytest.mark.parametrize("place", [0, 1])
def test_a_write_that_fails_half_way_changes_nothing(
    earlier: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, done = content(earlier), list[Path]()

    def full(path: Path, text: str | bytes) -> None:
        if len(done) == place:
            raise DataError(f"{path}: cannot be written (No space left on device)")
        done.append(path)
        write_whole(path, text)

    monkeypatch.setattr(folders, "write_whole", full)
    with pytest.raises(DataError, match=r"out/.*: cannot be written \(No space left on device\)"):
        write_folder(earlier, SECOND, list(FIRST))
    assert content(earlier) == before
    assert siblings(earlier) == ["out"]


@pytest.mark.parametrize("place", range(4))
def test_a_move_that_fails_half_way_is_undone(earlier: Path, place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before, real, moves = content(earlier), os.replace, list[Path]()

    def failing(source: Path, target: Path) -> None:
        if ".new-" in str(source) or ".old-" in str(target):
            moves.append(target)
            if len(moves) == place + 1 + len(SECOND):
                raise OSError(16, "Device or resource busy")
        real(source, target)

    monkeypatch.setattr(os, "replace", failing)
    try:
        write_folder(earlier, SECOND, list(FIRST))
    except DataError as error:
        assert "cannot be replaced (Device or resource busy)" in str(error)
        assert content(earlier) == before
    else:
        assert len(moves) < place + 1 + len(SECOND)
    assert siblings(earlier) == ["out"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(DataError, match="is a file; name a folder"):
        write_folder(tmp_path / "out", FIRST)
    assert (tmp_path / "out").read_text() == "mine"


def test_the_folder_in_which_one_stands_stays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "out", FIRST)
    monkeypatch.chdir(tmp_path / "out")
    write_folder(Path(), SECOND, list(FIRST))
    assert Path("rows.jsonl").read_text() == "2"
    assert not Path("tables/b.csv").exists()
