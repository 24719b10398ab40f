import io
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from pptx import Presentation

from refusalbench_tasks.own.documents import formats
from refusalbench_tasks.own.documents.build import (
    build_corpus,
)
from refusalbench_tasks.own.documents.corpus import read_corpus
from refusalbench_tasks.own.documents.extracted import Unusable
from refusalbench_tasks.own.documents.formats import document_of
from refusalbench_tasks.own.documents.passages import DocumentSettings, passages
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


def test_the_title_of_a_word_document_is_above_its_headings(tmp_path: Path) -> None:
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
    assert (chunk.title, chunk.headings) == ("Two mills", ("Two mills", "Lower"))


def test_slides_have_their_title_tables_groups_and_notes() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Lower mill"
    cells = slide.shapes.add_table(2, 2, 0, 0, 9, 9).table
    for row, texts in enumerate((("Part", "Interval"), ("Gate chain", "twice a year"))):
        for column, text in enumerate(texts):
            cells.cell(row, column).text = text
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = LOWER
    slide.notes_slide.notes_text_frame.text = "Ask the miller."
    deck.slides.add_slide(deck.slide_layouts[6])
    document = document_of(saved(deck), ".pptx")
    assert document.title == "Lower mill"
    assert [heading.title for heading in document.headings] == ["Lower mill"]
    [passage] = passages(document, DocumentSettings())
    assert document.text[passage.start : passage.end].split("\n\n") == [
        "Part; Interval",
        "Part: Gate chain; Interval: twice a year",
        LOWER,
        "Ask the miller.",
    ]


def test_each_row_of_a_sheet_names_its_values() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Prices"
    rows: list[list[Any]] = [
        ["Prices of 2026"],
        [],
        ["Grain", "A sack", None, "From"],
        ["Rye", 4.5, "by the gate", date(2026, 3, 1)],
        ["Oats", None, None, "# later"],
    ]
    for row in rows:
        sheet.append(row)
    book.create_sheet("Notes").append(["Closed in winter."])
    document = document_of(saved(book), ".xlsx")
    assert [heading.title for heading in document.headings] == ["Prices", "Notes"]
    assert document.text.strip().split("\n\n") == [
        "# Prices",
        "Prices of 2026",
        "Grain; A sack; From",
        "Grain: Rye; A sack: 4.5; by the gate; From: 2026-03-01",
        "Grain: Oats; From: # later",
        "# Notes",
        "Closed in winter.",
    ]


def saved(file: Any) -> bytes:
    """Return the bytes of a presentation or a workbook."""
    content = io.BytesIO()
    file.save(content)
    return content.getvalue()


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx"])
def test_every_file_of_office_is_measured_before_it_is_unpacked(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "MOST_PARTS", 3)
    with pytest.raises(Unusable, match="huge: .* in 5 parts"):
        document_of(docx([("", UPPER)]), suffix)


@pytest.mark.parametrize("suffix", [".pptx", ".xlsx"])
def test_a_word_document_by_another_name_is_an_error(suffix: str) -> None:
    with pytest.raises(Exception, match="not a PowerPoint file|no valid workbook"):
        document_of(docx([("", UPPER)]), suffix)
