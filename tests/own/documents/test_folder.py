"""The files of a folder."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.build import build_corpus
from refusalbench_tasks.own.documents.passages import DocumentSettings
from tests.own.documents.folder import (
    UPPER,
)

# one process of the tests builds the folder once

SETTINGS = DocumentSettings(licence="CC0-1.0")


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(UPPER)
    for name, problem in (("x.md", "give its folder"), ("y", "no such folder")):
        with pytest.raises(DataError, match=problem):
            build_corpus(tmp_path / name, tmp_path / "c.jsonl", SETTINGS)
