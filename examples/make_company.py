"""Make the DOCX and PDF files of the invented company anew: `python -m
examples.make_company`.
"""

import io
import re
import zipfile
from pathlib import Path

from tests.own.documents.files import Block, column, docx, pdf

HERE = Path(__file__).parent
SOURCES = HERE / "company_sources"
COMPANY = HERE / "company"
FILES = (
    "staff-handbook.docx",
    "incident-report.docx",
    "fleet-offer.docx",
    "price-list.pdf",
    "torro-manual.pdf",
)
SECTIONS_A_PAGE = 2


def made(name: str) -> bytes:
    """Return the content of a file of the company, made from the Markdown text of the
    same name.
    """
    text = (SOURCES / name).with_suffix(".md").read_text(encoding="utf-8")
    blocks = [
        " ".join(block.split("\n")) if block[0] != "|" else block
        for block in text.strip().split("\n\n")
    ]
    return _word(blocks) if name.endswith(".docx") else _pages(blocks)


def _word(blocks: list[str]) -> bytes:
    shown: list[Block] = []
    for block in blocks:
        if block.startswith("|"):
            rows = [
                row.strip("|").split("|")
                for row in block.split("\n")
                if not re.fullmatch(r"[|\-]+", row)
            ]
            shown.append([[cell.strip() for cell in row] for row in rows])
        else:
            marks, _, rest = block.rpartition("# ")
            shown.append(
                (f"Heading{len(marks) + 1}" if block.startswith("#") else "", rest)
            )
    return _without_dates(docx(shown))


def _pages(blocks: list[str]) -> bytes:
    """Return pages of two sections each, and an outline with the sections, as a word
    processor writes it.
    """
    title, *rest = blocks
    sections = list(zip(rest[::2], rest[1::2], strict=True))
    pages = [
        sections[k : k + SECTIONS_A_PAGE]
        for k in range(0, len(sections), SECTIONS_A_PAGE)
    ]
    lines = []
    outline = []
    for number, page in enumerate(pages):
        lines.append([(60, title.strip("# ")), (60, "")] if number == 0 else [])
        for heading, text in page:
            outline.append((number, heading.strip("# ")))
            lines[-1] += [(60, heading.strip("# ")), *column(text), (60, "")]
    return pdf(lines, outline)


def _without_dates(content: bytes) -> bytes:
    """Return a ZIP file that is the same whenever and wherever it is made."""
    again = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(again, "w", zipfile.ZIP_STORED) as new,
    ):
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), old.read(name))
    return again.getvalue()


if __name__ == "__main__":
    for file in FILES:
        (COMPANY / file).write_bytes(made(file))
