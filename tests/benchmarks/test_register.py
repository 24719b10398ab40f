"""The entries for the register of Inspect Evals are whole: nothing is left to fill in,
and their reports are what the recorded replies of real models are scored.
"""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.register import entry_files, filled, sample_report, whole_entry
from refusalbench_tasks.errors import DataError
from tests.recorded import replayed_log

FILES = entry_files()


def checkout(folder: Path, origin: str = "") -> Path:
    """Return a repository with one commit, and the address of its origin."""
    commands = [["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "-m", "x"]]
    if origin:
        commands.append(["remote", "add", "origin", origin])
    for words in commands:
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", "-C", str(folder), *identity, *words], check=True)
    return folder


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_report_of_an_entry_is_that_of_the_recorded_replies(file: Path) -> None:
    text = file.read_text()
    [task] = yaml.safe_load(text)["tasks"]
    report = sample_report(
        task["name"],
        lambda recording: replayed_log(recording.path.stem),
        task["dataset_samples"],
    )
    assert text == filled(text, report), "run: python -m benchmarks.register"
    assert report["notes"][0].startswith("samples: ")
    assert len(report["results"]) == 3


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize(
    "origin", ["https://example.org/we/tasks.git", "git@example.org:we/tasks.git"]
)
def test_a_whole_entry_names_the_public_repository_and_the_commit(
    file: Path, origin: str, tmp_path: Path
) -> None:
    entry = whole_entry(file.read_text(), checkout(tmp_path, origin))
    source = entry["source"]
    assert source["repository_url"] == "https://example.org/we/tasks"
    assert len(source["repository_commit"]) == 40
    assert entry["evaluation_report"]["commit"] == source["repository_commit"]
    assert not set(placeholders(entry))


def placeholders(part: Any) -> list[str]:
    """Return the words of an entry that are to be filled in."""
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        return [word for item in part for word in placeholders(item)]
    return [part] if str(part).startswith("REPOSITORY") or part in ("", None) else []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_register_takes_a_whole_entry(file: Path, tmp_path: Path) -> None:
    metadata = pytest.importorskip("inspect_evals.metadata")
    entry = whole_entry(
        file.read_text(), checkout(tmp_path, "https://example.org/we/tasks")
    )
    metadata.ExternalEvalMetadata.model_validate({"id": file.stem, **entry})


@pytest.mark.parametrize("origin", ["", "/srv/git/tasks"])
def test_a_checkout_without_a_public_origin_ends_in_one_line(
    origin: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as error:
        whole_entry(FILES[0].read_text(), checkout(tmp_path, origin))
    assert "public repository" in str(error.value)
    assert "\n" not in str(error.value)
