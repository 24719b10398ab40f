"""PDF files as text with pages and headings."""

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.own.documents.extracted import (
    Extracted,
    Heading,
    Unusable,
    clean,
    first_title,
)
from refusalbench_tasks.replies.outside_text import one_line

EDGE = 3
PAGES = 3
"""Lines at each end of a page that may be a header or footer, and pages on which one
repeats at least.
"""
LARGER = 1.15
LONGEST_HEADING = 120
"""A line is a heading by its size if its letters are so much larger than most of the
text, and it is as short.
"""

_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-zà-ÿ])")
_ITEM = re.compile(r"\s*(?:[-•*‣▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_LEADER = re.compile(r"(?:\.{3,}|…|(?:\. ){3,}|_{3,})\s*(?:\d+|[ivxlc]+)\s*$")
_NUMBER = re.compile(r"[\W_]*(?:(?:page|seite|página)\s+)?\d*[\W_]*", re.IGNORECASE)
Titles = dict[int, dict[str, int]]
"""The level of each heading of a page, by its words without case and number."""


def pdf_document(content: bytes) -> Extracted:
    """Return the text of a PDF file, its pages and headings.

    Headings are the entries of the outline that stand on their page; without an
    outline, lines in larger letters. Lines that repeat at the edges of pages are left
    out, and lines of a paragraph are joined. Raises Unusable for one that is encrypted
    or has no text.
    """
    pypdf = library("pypdf")
    reader = pypdf.PdfReader(io.BytesIO(content), strict=False)
    # opens what any viewer shows without asking
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unusable("encrypted: needs a password")
    sizes: list[list[tuple[str, float]]] = []
    pages = [_lines(page, sizes) for page in reader.pages]
    blank = sum(not "".join(page).strip() for page in pages)
    if blank == len(pages):
        scanned = (
            f"scanned: no text on any of {blank} page{'s' * (blank > 1)}; run a text"
            " recognition first"
        )
        raise Unusable(scanned if pages else "empty: no pages")
    titles = _outline(reader) or _by_size(sizes)
    text, starts, headings = _joined(without_running_lines(pages), titles)
    if not text.strip():
        raise Unusable("empty: no text beside page headers")
    named = reader.metadata.title if reader.metadata else None
    note = f"{blank} of {len(pages)} pages without text" if blank else ""
    return Extracted(
        text, first_title(named), headings=headings, page_starts=starts, note=note
    )


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of pages without headers and footers: what repeats at their
    edges, numbers aside.
    """
    edges = []
    seen = Counter[str]()
    for page in pages:
        full = [k for k, line in enumerate(page) if line.strip()]
        at = {*full[:EDGE], *full[-EDGE:]}
        edges.append(at)
        seen.update({_running(page[k]) for k in at})
    least = max(PAGES, len(pages) / 20)
    kept = []
    for page, at in zip(pages, edges, strict=True):
        # a number alone is a page's number even in a short document
        drop = {
            k
            for k in at
            if seen[_running(page[k])] >= least
            or (len(pages) > 1 and _NUMBER.fullmatch(page[k]))
        }
        kept.append([line for k, line in enumerate(page) if k not in drop])
    return kept


def has_leader(line: str) -> bool:
    """Return whether a line ends with a row of dots and a page number."""
    return bool(_LEADER.search(line))


def _lines(page: Any, sizes: list[list[tuple[str, float]]]) -> list[str]:
    """Return the lines of a page, and note the size of the letters of each piece of its
    text.
    """
    pieces: list[tuple[str, float]] = []

    def note(
        text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float
    ) -> None:
        if text.strip():
            pieces.append(
                (text.strip(), round(abs(size * (tm[3] or tm[1]) * (cm[3] or 1)), 1))
            )

    text = page.extract_text(visitor_text=note) or ""
    sizes.append(pieces)
    return clean(text).split("\n")


def _outline(reader: Any) -> Titles:
    """Return the entries of the outline by page; a broken outline is none."""
    titles: Titles = {}
    try:
        left = [(entry, 1) for entry in reader.outline]
        while left:
            entry, level = left.pop(0)
            if isinstance(entry, list):
                left = [(inner, min(level + 1, 6)) for inner in entry] + left
                continue
            page = reader.get_destination_page_number(entry)
            if page is not None and page >= 0 and entry.title:
                titles.setdefault(page, {}).setdefault(
                    _key(one_line(str(entry.title))), level
                )
    except Exception:
        return titles
    return titles


def _by_size(pages: Sequence[Sequence[tuple[str, float]]]) -> Titles:
    """Return the short lines whose letters are larger than those of most of the text;
    the largest are of level 1.
    """
    letters: Counter[float] = Counter()
    for pieces in pages:
        for text, size in pieces:
            letters[size] += len(text)
    usual = letters.most_common(1)[0][0] if letters else 0.0
    larger = sorted((size for size in letters if size > LARGER * usual), reverse=True)[
        :6
    ]
    titles: Titles = {}
    for number, pieces in enumerate(pages):
        titles[number] = {
            _key(line): larger.index(size) + 1
            for text, size in pieces
            if size in larger and len(text) <= LONGEST_HEADING
            for line in text.split("\n")
        }
    return titles


def _joined(
    pages: Sequence[Sequence[str]], titles: Titles
) -> tuple[str, tuple[int, ...], tuple[Heading, ...]]:
    """Return the text of all pages, where each begins, and the headings found in it."""
    starts: list[int] = []
    headings: list[Heading] = []
    parts: list[str] = []
    size = 0
    for number, page in enumerate(pages):
        starts.append(size)
        for block, level in _blocks(page, dict(titles.get(number, {}))):
            if level:
                headings.append(
                    Heading(level, one_line(block), size, size + len(block))
                )
            parts.append(block + "\n\n")
            size += len(block) + 2
    return "".join(parts), tuple(starts), tuple(headings)


def _blocks(lines: Sequence[str], levels: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the paragraphs of a page with the level of those that
    are headings, else 0.
    """
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
            if has_leader(line) or (
                line.rstrip().endswith((".", "!", "?", ":", "。"))
                and len(line) < 0.75 * widest
            ):
                yield _flowing(held), 0
                held = []
    if held:
        yield _flowing(held), 0


def _flowing(lines: Sequence[str]) -> str:
    """Return a paragraph in one line; a word that was parted at a line's end is one
    word again.
    """
    return one_line(_HYPHEN.sub("", "\n".join(line.strip() for line in lines)))


def _running(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.casefold().split()))


def _key(line: str) -> str:
    """Return a line as titles are compared: without number, case and spaces."""
    return re.sub(r"^[\d.\s]+|\W", "", line.casefold()) or line.strip()
