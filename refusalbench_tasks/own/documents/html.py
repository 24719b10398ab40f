"""Web pages and Word documents as documents: both come as HTML through one door."""

import io
import logging
import zipfile

from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.own.documents.extracted import Extracted, Unusable, one_line
from refusalbench_tasks.own.documents.markdown import markdown_document

MOST_UNPACKED = 300_000_000
"""How many bytes the parts of a DOCX file may have together, once unpacked."""
MOST_PARTS = 10_000


def html_document(content: bytes | str) -> Extracted:
    """Return the main text of a page as Markdown, without its furniture (menus, footers, scripts).

    Raises Unusable for a page without one.
    """
    trafilatura = library("trafilatura")
    tree = trafilatura.load_html(content)
    if tree is None:
        raise Unusable("broken: no HTML could be read")
    title = one_line(tree.findtext(".//title") or "")
    licences = [one_line(value) for value in tree.xpath("//*[@rel='license']/@href")]
    text = trafilatura.extract(
        tree, output_format="markdown", include_tables=True, include_comments=False, favor_recall=True
    )
    if not (text or "").strip():
        raise Unusable("empty: the page has no main text")
    return markdown_document(text, title, licences[0] if licences else "")


def docx_document(content: bytes) -> Extracted:
    """Return the text of a Word document; pictures are left out. Raises Unusable for one that unpacks too large."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        # a part is never read further than the size that is stated here
        size, number = sum(part.file_size for part in parts.infolist()), len(parts.infolist())
    if size > MOST_UNPACKED or number > MOST_PARTS:
        raise Unusable(f"huge: {size:,} bytes in {number:,} parts once unpacked")
    mammoth = library("mammoth")
    logging.getLogger("mammoth").setLevel(logging.ERROR)
    made = mammoth.convert_to_html(io.BytesIO(content), convert_image=lambda image: [])
    if not made.value.strip():
        raise Unusable("empty: no text")
    return html_document(f"<html><body><article>{made.value}</article></body></html>")
