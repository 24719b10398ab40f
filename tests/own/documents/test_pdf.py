"""PDF files as text."""

from refusalbench_tasks.own.documents.pdf import pdf_document, without_running_lines
from tests.own.documents.files import column, pdf
from tests.own.documents.folder import OPENING, UPPER


def test_running_lines_and_page_numbers_are_left_out() -> None:
    pages = [
        ["The Miller's Almanac", f"Text of page {word}.", word, f"- {k} -"]
        for k, word in enumerate(("one", "two", "three", "four"), 7)
    ]
    assert without_running_lines(pages)[1] == ["Text of page two.", "two"]
    # on two pages a line is not told from text, but a number alone is
    assert without_running_lines(pages[:2])[1] == [
        "The Miller's Almanac",
        "Text of page two.",
        "two",
    ]
    assert without_running_lines([["12"]]) == [["12"]]


def test_headings_of_a_pdf_are_those_of_its_outline_or_else_its_larger_lines() -> None:
    pages = [
        [
            (60, "# Fees"),
            *column(UPPER),
            (60, ""),
            (60, "# 2 Opening hours"),
            *column(OPENING),
        ]
    ]
    assert [one.title for one in pdf_document(pdf(pages)).headings] == [
        "Fees",
        "2 Opening hours",
    ]
    assert [
        one.title for one in pdf_document(pdf(pages, [(0, "Opening hours")])).headings
    ] == ["2 Opening hours"]
    assert pdf_document(pdf([column(UPPER)])).headings == ()
