"""Readers of replies have names; one that is unknown or not installed is one line."""

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies import readers
from refusalbench_tasks.replies.readers import (
    ReaderSource,
    check_reader,
    find_reader,
)
from refusalbench_tasks.replies.reading import ReadReply


def load_missing() -> ReadReply:
    raise ModuleNotFoundError("No module named 'vectors'")


@pytest.fixture
def vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader whose library is not installed."""
    source = ReaderSource(load_missing, "reading_errors.json", "vectors")
    monkeypatch.setattr(readers, "READERS", {**readers.READERS, "vectors": source})


def test_the_default_reader_is_there() -> None:
    assert find_reader("ngrams")("I do not know.").kind == "refusal"


def test_an_unknown_reader_is_named_with_those_there_are() -> None:
    with pytest.raises(DataError, match=r"reader: unknown 'x'; known: ngrams, e5$"):
        find_reader("x")


@pytest.mark.usefixtures("vectors")
def test_a_reader_that_is_not_installed_says_what_to_install() -> None:
    advice = (
        r"reader: 'vectors' is not installed \(No module named 'vectors'\); pip install"
        r" 'refusalbench-tasks\[vectors\]'$"
    )
    with pytest.raises(DataError, match=advice):
        find_reader("vectors")


def test_beside_a_grader_no_other_reader_can_be_named() -> None:
    check_reader("ngrams", "cascade")
    check_reader("vectors", "offline")
    with pytest.raises(DataError, match="reader: only with judge=offline"):
        check_reader("vectors", "cascade")
