"""What is read of the header that a task wrote, and of one that somebody else did."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from refusalbench_tasks.results.logs.task_facts import TaskFacts, task_facts
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import row, write_log


def facts_of(folder: Path, **noted: Any) -> TaskFacts:
    return task_facts(read_eval_log(str(write_log(folder, "m", [row("1", Label.MISSING)], **noted)), header_only=True))


def test_what_a_task_noted(tmp_path: Path) -> None:
    noted = {"data": "hub", "blob": "b", "fingerprint": "all", "selected_fingerprint": "some", "prompt_sha256": "p"}
    assert facts_of(tmp_path, **noted, selected_rows=7) == TaskFacts("hub", "b", "all", "some", 7, "p")


@pytest.mark.parametrize("rows", [None, "many", [7], {}])
def test_what_a_header_does_not_tell_is_blank(tmp_path: Path, rows: object) -> None:
    assert facts_of(tmp_path, data=None, selected_fingerprint=None, selected_rows=rows) == TaskFacts()
