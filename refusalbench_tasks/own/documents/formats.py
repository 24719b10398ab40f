"""Files of each format as text with headings: Markdown, plain text, HTML, Word,
presentations and workbooks (PDF is in `pdf`).
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from refusalbench_tasks.bounded_reading import data_yaml, yaml_value
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.libraries import library
from refusalbench_tasks.replies.outside_text import one_line

from .extracted import Extracted, Heading, Unusable, clean, first_title
from .pdf import pdf_document

KINDS = data_yaml("own.documents", "kinds.yaml")
"""The formats that are read, by suffix."""
MOST_UNPACKED = 300_000_000
MOST_PARTS = 10_000
"""Bytes and files that a file of Office may hold once unpacked."""
_WORD_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='heading 1'] => h2:fresh
p[style-name='heading 2'] => h3:fresh
p[style-name='heading 3'] => h4:fresh
p[style-name='heading 4'] => h5:fresh
p[style-name='heading 5'] => h6:fresh
p.Heading1 => h2:fresh
p.Heading2 => h3:fresh
p.Heading3 => h4:fresh
p.Heading4 => h5:fresh
p.Heading5 => h6:fresh
"""
"""What the styles of a Word document are in HTML: a title is above all headings."""

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def document_of(content: bytes, suffix: str) -> Extracted:
    """Return what a file says, by the converter of its suffix.

    Raises Unusable with the reason.
    """
    if not content.strip():
        raise Unusable("empty: no content" if content else "empty: 0 bytes")
    readers: dict[str, Callable[[bytes], Extracted]] = {
        "PDF": pdf_document,
        "DOCX": docx_document,
        "PPTX": slides_document,
        "XLSX": sheets_document,
        "HTML": html_document,
        "Markdown": lambda data: markdown_document(_text(data)),
        "text": lambda data: Extracted(clean(_text(data))),
    }
    kind = KINDS[suffix.lower()]
    if kind in ("DOCX", "PPTX", "XLSX"):
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            # a part is never read further than the size that is stated here
            sizes = [part.file_size for part in parts.infolist()]
        if sum(sizes) > MOST_UNPACKED or len(sizes) > MOST_PARTS:
            raise Unusable(
                f"huge: {sum(sizes):,} bytes in {len(sizes):,} parts once unpacked"
            )
    return readers[kind](content)


def markdown_document(text: str, title: str = "", licence: str = "") -> Extracted:
    """Return a Markdown text with its headings; a front matter's `title` and `licence`
    (or `license`) win.

    Headings are those of CommonMark, so that a `#` in a block of code is none. What
    looks like a front matter and is no YAML mapping is text.
    """
    whole = clean(text)
    front, body = _front_matter(whole)
    headings = _headings(whole, body)
    return Extracted(
        text=whole,
        title=first_title(
            front.get("title"),
            title,
            *(heading.title for heading in headings),
        ),
        licence=first_title(
            front.get("licence"),
            front.get("license"),
            licence,
        ),
        headings=headings,
        body=body,
    )


def html_document(content: bytes | str) -> Extracted:
    """Return the main text of a page as Markdown, without menus, footers and scripts.

    Raises Unusable without one.
    """
    trafilatura = library("trafilatura")
    tree = trafilatura.load_html(content)
    if tree is None:
        raise Unusable("broken: no HTML could be read")
    body = tree.find("body")
    if body is not None and not tree.xpath("//main | //article | //*[@role='main']"):
        # the library drops headings and lists of a page that does not say where its
        # article is
        article = body.makeelement("article")
        article.text, body.text = body.text, None
        article.extend(list(body))
        body.append(article)
    title = tree.findtext(".//title") or ""
    licence = next(iter(tree.xpath("//*[@rel='license']/@href")), "")
    text = trafilatura.extract(
        tree,
        output_format="markdown",
        include_tables=True,
        include_comments=False,
        favor_recall=True,
    )
    if not (text or "").strip():
        raise Unusable("empty: the page has no main text")
    return markdown_document(text, title, licence)


def docx_document(content: bytes) -> Extracted:
    """Return the text of a Word document; pictures are left out.

    Raises Unusable without text.
    """
    page = (
        library("mammoth")
        .convert_to_html(
            io.BytesIO(content),
            style_map=_WORD_STYLES,
            convert_image=lambda image: [],
        )
        .value
    )
    if not page.strip():
        raise Unusable("empty: no text")
    return html_document(f"<html><body><article>{page}</article></body></html>")


def slides_document(content: bytes) -> Extracted:
    """Return the text of a presentation with its notes, each slide under its title;
    pictures are left out.
    """
    parts = []
    for slide in library("pptx").Presentation(io.BytesIO(content)).slides:
        title = slide.shapes.title
        if title:
            parts.append(f"# {one_line(title.text)}")
        parts += _shape_texts(shape for shape in slide.shapes if shape != title)
        if slide.has_notes_slide:
            parts.append(slide.notes_slide.notes_text_frame.text)
    return markdown_document("\n\n".join(parts))


def sheets_document(content: bytes) -> Extracted:
    """Return the cells of a workbook, each sheet under its name; numbers have no
    format.
    """
    book = library("openpyxl").load_workbook(
        io.BytesIO(content), read_only=True, data_only=True
    )
    parts = []
    for sheet in book.worksheets:
        parts.append(f"# {one_line(sheet.title)}")
        parts.append(_table_text(sheet.iter_rows(values_only=True)))
    return markdown_document("\n\n".join(parts))


def _shape_texts(shapes: Iterable[Any]) -> Iterator[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shape_texts(shape.shapes)
        elif shape.has_text_frame:
            yield shape.text
        elif shape.has_table:
            rows = []
            for row in shape.table.rows:
                rows.append([cell.text for cell in row.cells])
            yield _table_text(rows)


def _table_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return each row as `name: value; …`, so that a piece of a long table says what
    its values are; the first row of several cells has the names.
    """
    names: dict[int, str] = {}
    lines = []
    for row in rows:
        cells = {}
        for column, cell in enumerate(row):
            text = "" if cell is None else one_line(str(cell))
            if text:
                name = f"{names[column]}: " if column in names else ""
                cells[column] = name + text.removesuffix(" 00:00:00")
        lines.append("; ".join(cells.values()))
        if len(cells) > 1:
            names = names or cells
    return "\n\n".join(filter(None, lines))


def _front_matter(text: str) -> tuple[dict[str, Any], int]:
    match = _FRONT.match(text)
    if match:
        with suppress(DataError):
            values = yaml_value(match[1], "front matter")
            if isinstance(values, dict):
                return values, match.end()
    return {}, 0


def _headings(text: str, body: int) -> tuple[Heading, ...]:
    # blocks alone: what stands in a line doesn't matter here, and costs most of the
    # time
    parser = (
        library("markdown_it")
        .MarkdownIt("commonmark")
        .enable("table")
        .disable(["inline", "text_join"])
    )
    starts = [body]
    for line in text[body:].split("\n"):
        starts.append(min(starts[-1] + len(line) + 1, len(text)))
    headings = []
    for token, inner in pairwise(parser.parse(text[body:])):
        if token.type == "heading_open" and token.level == 0 and inner.content:
            first, end = token.map
            headings.append(
                Heading(
                    int(token.tag[1]),
                    one_line(_MARKS.sub("", _LINK.sub(r"\1", inner.content))),
                    starts[first],
                    starts[min(end, len(starts) - 1)],
                )
            )
    return tuple(headings)


def _text(content: bytes) -> str:
    utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(
            f"not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
    if "\x00" in text:
        raise Unusable("not text: it holds zero bytes")
    return text
