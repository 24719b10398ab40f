import pytest

from refusalbench_tasks.own.documents import formats
from refusalbench_tasks.own.documents.extracted import Unusable
from refusalbench_tasks.own.documents.formats import document_of
from tests.own.documents.files import docx, pdf
from tests.own.documents.folder import UPPER


def test_a_word_document_is_measured_before_it_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed = docx([("", UPPER)], {"word/media/x.bin": b"\0" * 2_000_000})
    assert len(packed) < 20_000
    assert UPPER in document_of(packed, ".docx").text
    monkeypatch.setattr(formats, "MOST_UNPACKED", 1_000_000)
    with pytest.raises(
        Unusable, match=r"huge: 2,00\d,\d{3} bytes in 6 parts once unpacked"
    ):
        document_of(packed, ".docx")


def test_pages_that_lead_in_a_circle_end_in_an_error() -> None:
    circle = pdf([[(60, UPPER)]]).replace(b"/Kids [5 0 R]", b"/Kids [2 0 R]")
    with pytest.raises(Exception, match="[Cc]yclic"):
        document_of(circle, ".pdf")


def test_an_entity_brings_no_file_into_a_page() -> None:
    page = (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
        f"<html><body><p>Known: &a; {UPPER}</p></body></html>"
    )
    text = document_of(page.encode(), ".xhtml").text
    assert UPPER in text
    assert "root:" not in text
