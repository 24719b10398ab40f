"""The recorded replies of real models are those of today's prompts, and the pages print
what they are scored.
"""

from collections import Counter
from pathlib import Path

import pytest
from inspect_ai import Task

from benchmarks.models_table import PAGE, Recording, filled, recordings, tables
from benchmarks.real.weights import open_models

RECORDINGS = recordings()


def prompt_hash(task: Task) -> object:
    """Return the hash of a task's prompt, as its log says it."""
    return (task.metadata or {})["prompt_sha256"]


@pytest.mark.parametrize("rows", ["nq", "garage", "bluff", "worlds"])
def test_each_model_has_replies_to_each_kind_of_rows(rows: str) -> None:
    there = [rec.about["model"] for rec in RECORDINGS if rec.rows == rows]
    assert there == [model.title for model in open_models()]


def test_one_model_has_replies_of_several_epochs() -> None:
    [varied] = [rec for rec in RECORDINGS if rec.about["epochs"] > 1]
    assert varied.about["epochs"] == 3


def test_replies_are_those_to_the_prompts_of_this_package() -> None:
    old = [recording.path.name for recording in RECORDINGS if not is_current(recording)]
    assert not old, (
        f"the prompt has changed since: record {', '.join(old)} anew with `make real`"
    )


def is_current(recording: Recording) -> bool:
    return bool(recording.about["prompt_sha256"] == prompt_hash(recording.task()))


@pytest.mark.parametrize(
    "recording", RECORDINGS, ids=lambda recording: recording.path.stem
)
def test_replies_are_to_the_rows_of_their_task(recording: Recording) -> None:
    ids = {str(sample.id) for sample in recording.task().dataset}
    epochs = Counter(row.get("epoch", 1) for row in recording.replies)
    number = recording.about["limit"] or len(ids)
    assert epochs == dict.fromkeys(range(1, recording.about["epochs"] + 1), number)
    found = {(row["id"], row.get("epoch", 1)) for row in recording.replies}
    assert len(found) == len(recording.replies)
    assert {name for name, _ in found} <= ids


def test_the_page_prints_what_the_replies_are_scored(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page, tables(tmp_path)) == page
