"""Copies of the released files: told by their hash, or named by their path."""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.datasets.remote import git_blob
from tests.released import (
    copies,
    file_name,
    release_stand_ins,
)


@pytest.fixture(autouse=True)
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release_stand_ins(tmp_path / "cache", monkeypatch)


def test_a_copy_of_one_file_alone_says_what_is_missing(tmp_path: Path) -> None:
    folder = copies(tmp_path / "copies", ["bluff"])
    with pytest.raises(ValueError, match="no such file '.*internal_confidence_ptrue"):
        bluff(data="sample", prompt=folder)
    # without p(true) the other file is not needed
    bluff(data="sample", prompt=folder, ptrue="none")


@pytest.mark.parametrize(("task", "use"), [(nq, "nq"), (garage, "garage")])
def test_a_copy_is_told_by_its_hash(task: Any, use: str, tmp_path: Path) -> None:
    path = Path(copies(tmp_path, [use])) / file_name(use)
    facts = task(data="sample", prompt=str(path), judge_prompt=str(tmp_path)).metadata
    assert (facts["prompt"], facts["judge_prompt"]) == ("official", "official")
    # the same words in a file with one byte more are not the released file
    other = tmp_path / "other.py"
    other.write_bytes(path.read_bytes() + b"\n")
    facts = task(data="sample", prompt=str(other), judge_prompt=str(other)).metadata
    assert (facts["prompt"], facts["judge_prompt"]) == (str(other), str(other))
    assert facts["prompt_file_blob"] == git_blob(other.read_bytes())


def test_where_no_hash_is_known_a_copy_is_not_taken_for_the_released_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # nothing was fetched, and the hash of the file for nq is not pinned
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    path = str(Path(copies(tmp_path, ["nq"])) / file_name("nq"))
    facts = nq(data="sample", prompt=path).metadata or {}
    assert facts["prompt"] == path
