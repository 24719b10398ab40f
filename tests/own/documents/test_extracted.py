"""The text that was taken from a document."""

from refusalbench_tasks.own.documents.extracted import clean
from refusalbench_tasks.own.documents.formats import document_of


def test_a_text_is_cleaned_of_what_no_file_holds() -> None:
    assert clean("a\r\nb\rc\x00\x1b[1m\ud800\ufeff") == "a\nb\nc[1m\ufffd"
    assert document_of(b"# x", ".txt").headings == ()
