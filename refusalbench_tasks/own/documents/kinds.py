"""What kind of file a document is, by its name and by its content."""

import io
import re
import zipfile
from collections.abc import Callable

from refusalbench_tasks.own.documents.extracted import Extracted, Unusable
from refusalbench_tasks.own.documents.html import docx_document, html_document
from refusalbench_tasks.own.documents.markdown import markdown_document, plain_document
from refusalbench_tasks.own.documents.pdf import pdf_document

KINDS = {
    ".md": "Markdown", ".markdown": "Markdown", ".txt": "text", ".text": "text", ".html": "HTML", ".htm": "HTML",
    ".xhtml": "HTML", ".pdf": "PDF", ".docx": "DOCX",
}  # fmt: skip
"""The kinds that are read, by suffix."""

NO_TEXT = "no text"
_TAG = re.compile(
    rb"<\s*(?:!doctype|html|head|body|title|meta|article|main|section|div|p|h[1-6]|table|ul|span|a)\b", re.I
)
_PAGE = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.DOTALL)
_MARKED = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def document_of(content: bytes, suffix: str) -> Extracted:
    """Return what a file says, by the converter of its suffix. Raises Unusable with the reason.

    The content must be what the suffix says: a page saved as `.pdf` is not guessed at.
    """
    kind = KINDS[suffix.lower()]
    if not content.strip():
        raise Unusable("empty: no content" if content else "empty: 0 bytes")
    found = content_kind(content)
    # what is no UTF-8 text is told by the reader of texts, and a page may have another encoding
    is_text = found in ("text", NO_TEXT) and kind in ("Markdown", "text", "HTML")
    is_page = kind != "HTML" or _TAG.search(content.replace(b"\x00", b""))
    if not is_page or (found != kind and not is_text):
        raise Unusable(f"wrongly named: the content is {found}, not {kind}")
    readers: dict[str, Callable[[bytes], Extracted]] = {
        "PDF": pdf_document,
        "DOCX": docx_document,
        "HTML": html_document,
        "Markdown": lambda data: markdown_document(_text(data)),
        "text": lambda data: plain_document(_text(data)),
    }
    return readers[kind](content)


def content_kind(content: bytes) -> str:
    """Return what a file's bytes are: a kind of KINDS, `text` for any text, or words for what can't be read."""
    if b"%PDF-" in content[:1024]:
        return "PDF"
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        return "an encrypted or old Office file"
    if content.startswith(b"PK\x03\x04"):
        return _zip_kind(content)
    if _PAGE.match(content[:4096].replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe")):
        return "HTML"
    try:
        _text(content)
    except Unusable:
        return NO_TEXT
    return "text"


def _zip_kind(content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            names = set(parts.namelist())
            locked = any(part.flag_bits & 1 for part in parts.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return "a broken ZIP"
    if locked:
        return "an encrypted ZIP"
    return "DOCX" if "word/document.xml" in names else "another ZIP"


def _text(content: bytes) -> str:
    encoding = next((name for mark, name in _MARKED if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unusable(f"not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    if "\x00" in text:
        raise Unusable("not text: it holds zero bytes")
    return text
