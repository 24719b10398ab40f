"""Libraries that only an extra brings."""

from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.libraries import MissingLibrary, library


def test_a_missing_extra_is_one_line() -> None:
    with pytest.raises(
        DataError,
        match=r"needs not_there; pip install 'refusalbench-tasks\[documents\]'",
    ):
        library("not_there")
    with pytest.raises(DataError, match=r"^web: needs .*refusalbench-tasks\[web\]"):
        library("not_there", "web")


def test_a_library_that_lacks_one_of_its_own_says_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "halved.py").write_text(
        "raise ImportError('lxml.html.clean is now\\na project of its own')"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    told = (
        r"^documents: halved can't be imported \(lxml.html.clean is now a project of"
        r" its own\); pip install"
    )
    with pytest.raises(MissingLibrary, match=told):
        library("halved")
