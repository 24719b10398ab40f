"""PDF files as documents."""

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.own.documents.extracted import Extracted, Heading, Unusable, clean, first_title, one_line
from refusalbench_tasks.own.documents.furniture import has_leader, without_running_lines

_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-zà-ÿ])")
_ITEM = re.compile(r"\s*(?:[-•*‣▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
DEEPEST = 6


def pdf_document(content: bytes) -> Extracted:
    """Return the text of a PDF file, its pages, and as headings the entries of its outline that stand on their page.

    Lines that repeat at the edges of pages are left out, and lines of a paragraph are joined. Raises Unusable for one
    that is encrypted or has no text.
    """
    pypdf = library("pypdf")
    reader = pypdf.PdfReader(io.BytesIO(content), strict=False)
    _open(reader, pypdf)
    lines = [clean(page.extract_text() or "").split("\n") for page in reader.pages]
    if not lines:
        raise Unusable("empty: no pages")
    blank = sum(not any(line.strip() for line in page) for page in lines)
    if blank == len(lines):
        raise Unusable(
            f"scanned: no text on any of {blank} page{'s' if blank > 1 else ''}; run a text recognition first"
        )
    outline = list(_outline(reader))
    text, starts, headings = _joined(without_running_lines(lines), outline)
    if not text.strip():
        raise Unusable("empty: no text beside page headers")
    named = reader.metadata.title if reader.metadata else None
    note = f"{blank} of {len(lines)} pages without text" if blank else ""
    return Extracted(text, first_title(named), headings=headings, page_starts=starts, note=note)


def _open(reader: Any, pypdf: Any) -> None:
    if not reader.is_encrypted:
        return
    try:
        # opens what any viewer shows without asking
        if reader.decrypt("") != pypdf.PasswordType.NOT_DECRYPTED:
            return
    except Exception as error:
        raise Unusable(f"encrypted ({one_line(str(error))[:80]})") from None
    raise Unusable("encrypted: needs a password")


def _outline(reader: Any) -> Iterator[tuple[int, int, str]]:
    """Yield page (from 0), level and title of the outline's entries; a broken outline is none."""
    try:
        left = [(entry, 1) for entry in reader.outline]
        while left:
            entry, level = left.pop(0)
            if isinstance(entry, list):
                left = [(inner, min(level + 1, DEEPEST)) for inner in entry] + left
                continue
            page = reader.get_destination_page_number(entry)
            if page is not None and page >= 0 and entry.title:
                yield page, level, one_line(str(entry.title))
    except Exception:
        return


def _joined(
    pages: Sequence[Sequence[str]], outline: Sequence[tuple[int, int, str]]
) -> tuple[str, tuple[int, ...], tuple[Heading, ...]]:
    """Return the text of all pages, where each begins, and the headings found in it."""
    starts: list[int] = []
    headings: list[Heading] = []
    parts: list[str] = []
    size = 0
    for number, page in enumerate(pages):
        starts.append(size)
        levels = {_key(title): level for at, level, title in outline if at == number}
        for block, level in _blocks(page, levels):
            if level:
                headings.append(Heading(level, one_line(block), size, size + len(block)))
            parts.append(block + "\n\n")
            size += len(block) + 2
    return "".join(parts), tuple(starts), tuple(headings)


def _blocks(lines: Sequence[str], levels: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the paragraphs of a page with the level of those that are headings, else 0."""
    held: list[str] = []
    widest = sorted(len(line) for line in lines)[int(len(lines) * 0.8)] if lines else 0
    for line in lines:
        level = levels.pop(_key(line), 0) if line.strip() else 0
        if held and (level or not line.strip() or _ITEM.match(line)):
            yield _flowing(held), 0
            held = []
        if level:
            yield line.strip(), level
        elif line.strip():
            held.append(line)
            # a short line that ends a sentence ends its paragraph
            ended = line.rstrip().endswith((".", "!", "?", ":", "。")) and len(line) < 0.75 * widest
            if ended or has_leader(line):
                yield _flowing(held), 0
                held = []
    if held:
        yield _flowing(held), 0


def _flowing(lines: Sequence[str]) -> str:
    """Return a paragraph in one line; a word that was parted at a line's end is one word again."""
    return one_line(_HYPHEN.sub("", "\n".join(line.strip() for line in lines)))


def _key(line: str) -> str:
    """Return a line as titles are compared: without number, case and spaces."""
    return re.sub(r"^[\d.\s]+|\W", "", line.casefold()) or line.strip()
