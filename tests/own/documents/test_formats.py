from pathlib import Path

import pytest

from refusalbench_tasks.own.documents import formats
from refusalbench_tasks.own.documents.build import (
    DocumentSettings,
    build_corpus,
)
from refusalbench_tasks.own.documents.corpus import read_corpus
from refusalbench_tasks.own.documents.extracted import Unusable
from refusalbench_tasks.own.documents.formats import document_of
from tests.own.documents.files import docx, pdf
from tests.own.documents.folder import (
    LOWER,
    UPPER,
)


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


# one process of the tests builds the folder once

SETTINGS = DocumentSettings(licence="CC0-1.0")


def test_a_short_section_of_a_page_is_in_the_corpus(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    page = (
        f"<html><body><main><h1>Freight</h1><h2>Zones</h2><p>{LOWER}</p><h2>Returns</h2><p>Free"
        " for 30 days.</p>"
    )
    (tmp_path / "in" / "freight.html").write_text(f"{page}</main></body></html>")
    card = build_corpus(tmp_path / "in", tmp_path / "c.jsonl", SETTINGS)
    (chunk,) = read_corpus(tmp_path / "c.jsonl")
    assert (chunk.text, card.dropped) == (
        f"{LOWER}\n\n## Returns\n\nFree for 30 days.",
        [],
    )


def test_a_page_that_does_not_mark_its_article_keeps_its_headings_and_lists(
    tmp_path: Path,
) -> None:
    (tmp_path / "in").mkdir()
    menu = "<html><body><nav><a href='/'>Home</a></nav>"
    page = (
        f"{menu}<h1>Mills</h1><h2>Lower</h2><p>{LOWER}</p><ul><li>Free to"
        " all.</ul></body></html>"
    )
    (tmp_path / "in" / "mills.html").write_text(page)
    build_corpus(tmp_path / "in", tmp_path / "c.jsonl", SETTINGS)
    (chunk,) = read_corpus(tmp_path / "c.jsonl")
    assert (chunk.headings, chunk.text) == (
        ("Mills", "Lower"),
        f"{LOWER}\n\n- Free to all.",
    )


def test_the_title_of_a_word_document_is_the_line_in_that_style(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    style = (
        '<w:style w:type="paragraph" w:styleId="Titel"><w:name'
        ' w:val="Title"/></w:style>'
    )
    styles = {"word/styles.xml": f"<w:styles {space}>{style}</w:styles>".encode()}
    blocks = [("Titel", "Two mills"), ("Heading1", "Lower"), ("", LOWER)]
    (tmp_path / "in" / "mills.docx").write_bytes(docx(blocks, styles))
    build_corpus(tmp_path / "in", tmp_path / "c.jsonl", SETTINGS)
    (chunk,) = read_corpus(tmp_path / "c.jsonl")
    assert (chunk.title, chunk.headings) == ("Two mills", ("Lower",))
