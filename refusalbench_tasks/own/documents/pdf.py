"""PDF files as text with pages and headings."""

import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from refusalbench_tasks.libraries import library
from refusalbench_tasks.replies.outside_text import one_line

from .extracted import Extracted, Heading, Unusable, clean, first_title

EDGE = 3
"""Lines at each end of a page that may be a header or footer."""
PAGES = 3
"""Pages on which a header or footer repeats at least."""
LARGER = 1.15
"""A line is a heading by its size if its letters are so much larger than most."""
LONGEST_HEADING = 120

_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-zà-ÿ])")
_ITEM = re.compile(
    r"""\s*(?:
    [-•*‣▪–]
    |\(?\d{1,3}[.)]
    |\(?[a-z][.)]
    )\s""",
    re.VERBOSE,
)
_LEADER = re.compile(
    r"""(?:
    \.{3,}
    |…
    |(?:\.\ ){3,}
    |_{3,}
    )\s*(?:\d+|[ivxlc]+)\s*$""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"[\W_]*(?:(?:page|seite|página)\s+)?\d*[\W_]*", re.IGNORECASE)
_ENDS = (".", "!", "?", ":", "。")
Sizes = list[tuple[str, float]]
"""The pieces of a page's text with the size of their letters."""
Titles = dict[int, dict[str, int]]
"""The level of each heading of a page, by its words without case and number."""


def pdf_document(content: bytes) -> Extracted:
    """Return the text of a PDF file, its pages and headings.

    Headings are the entries of the outline that stand on their page; without an
    outline, lines in larger letters. Lines that repeat at the edges of pages are left
    out, and lines of a paragraph are joined. Raises Unusable for one that is encrypted
    or has no text.
    """
    reader = library("pypdf").PdfReader(io.BytesIO(content), strict=False)
    # opens what any viewer shows without asking
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unusable("encrypted: needs a password")
    if not reader.pages:
        raise Unusable("empty: no pages")
    pages, sizes = zip(*map(_lines, reader.pages), strict=True)
    blank = sum(not "".join(lines).strip() for lines in pages)
    if blank == len(pages):
        raise Unusable(
            f"scanned: no text on any of {blank} page{'s' * (blank > 1)}; run a text"
            " recognition first"
        )
    document = _joined(
        without_running_lines(pages),
        _outline(reader) or _by_size(sizes),
    )
    if not document.text.strip():
        raise Unusable("empty: no text beside page headers")
    return replace(
        document,
        title=first_title(reader.metadata and reader.metadata.title),
        note=f"{blank} of {len(pages)} pages without text" if blank else "",
    )


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of pages without headers and footers: what repeats at their
    edges, numbers aside.
    """
    edges = []
    seen = Counter[str]()
    for page in pages:
        full = [k for k, line in enumerate(page) if line.strip()]
        edge = {}
        for k in (*full[:EDGE], *full[-EDGE:]):
            edge[k] = re.sub(r"\d+", "#", " ".join(page[k].casefold().split()))
        edges.append(edge)
        seen.update(set(edge.values()))
    least = max(PAGES, len(pages) / 20)
    kept = []
    for page, edge in zip(pages, edges, strict=True):
        running = set()
        for k, words in edge.items():
            # a number alone is a page's number even in a short document
            is_number = len(pages) > 1 and _NUMBER.fullmatch(page[k])
            if is_number or seen[words] >= least:
                running.add(k)
        kept.append([line for k, line in enumerate(page) if k not in running])
    return kept


def has_leader(line: str) -> bool:
    """Return whether a line ends with a row of dots and a page number."""
    return bool(_LEADER.search(line))


def _lines(page: Any) -> tuple[list[str], Sizes]:
    """Return the lines of a page, and the size of the letters of each piece of its
    text.
    """
    pieces = []

    def note(
        text: str,
        cm: Any,
        tm: Any,
        _: Any,
        size: float,
    ) -> None:
        if text.strip():
            drawn = abs(size * (tm[3] or tm[1]) * (cm[3] or 1))
            pieces.append((text.strip(), round(drawn, 1)))

    text = page.extract_text(visitor_text=note) or ""
    return clean(text).split("\n"), pieces


def _outline(reader: Any) -> Titles:
    """Return the entries of the outline by page; a broken outline is none."""
    titles: Titles = defaultdict(dict)
    # a broken entry ends the outline
    with suppress(Exception):
        for entry, level in _entries(reader.outline, 1):
            page = reader.get_destination_page_number(entry)
            if page is not None and page >= 0 and entry.title:
                titles[page].setdefault(_title_key(one_line(str(entry.title))), level)
    return titles


def _entries(outline: Sequence[Any], level: int) -> Iterator[tuple[Any, int]]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _entries(entry, min(level + 1, 6))
        else:
            yield entry, level


def _by_size(pages: Sequence[Sizes]) -> Titles:
    """Return the short lines whose letters are larger than those of most of the text;
    the largest are of level 1.
    """
    letters: Counter[float] = Counter()
    for pieces in pages:
        for text, size in pieces:
            letters[size] += len(text)
    usual = max(letters, key=lambda size: letters[size], default=0.0)
    larger = [size for size in letters if size > LARGER * usual]
    larger = sorted(larger, reverse=True)[:6]
    titles: Titles = defaultdict(dict)
    for number, pieces in enumerate(pages):
        for text, size in pieces:
            if size in larger and len(text) <= LONGEST_HEADING:
                for line in text.split("\n"):
                    titles[number][_title_key(line)] = larger.index(size) + 1
    return titles


def _joined(pages: Sequence[Sequence[str]], titles: Titles) -> Extracted:
    """Return the text of all pages, where each begins, and the headings found in it."""
    starts = []
    headings = []
    text = ""
    for number, page in enumerate(pages):
        starts.append(len(text))
        for block, level in _blocks(page, dict(titles.get(number, {}))):
            if level:
                end = len(text) + len(block)
                headings.append(
                    Heading(
                        level,
                        one_line(block),
                        len(text),
                        end,
                    )
                )
            text += block + "\n\n"
    return Extracted(
        text,
        headings=tuple(headings),
        page_starts=tuple(starts),
    )


def _blocks(lines: Sequence[str], levels: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the paragraphs of a page with the level of those that
    are headings, else 0.
    """
    held: list[str] = []
    lengths = sorted(map(len, lines))
    widest = lengths[int(len(lines) * 0.8)] if lines else 0
    for line in lines:
        level = levels.pop(_title_key(line), 0) if line.strip() else 0
        if held and (level or not line.strip() or _ITEM.match(line)):
            yield _flowing(held), 0
            held = []
        if level:
            yield line.strip(), level
        elif line.strip():
            held.append(line)
            # a short line that ends a sentence ends its paragraph
            is_short = len(line) < 0.75 * widest
            if has_leader(line) or (is_short and line.rstrip().endswith(_ENDS)):
                yield _flowing(held), 0
                held = []
    if held:
        yield _flowing(held), 0


def _flowing(lines: Sequence[str]) -> str:
    """Return a paragraph in one line; a word that was parted at a line's end is one
    word again.
    """
    return one_line(_HYPHEN.sub("", "\n".join(line.strip() for line in lines)))


def _title_key(line: str) -> str:
    """Return a line as titles are compared: without number, case and spaces."""
    return re.sub(r"^[\d.\s]+|\W", "", line.casefold()) or line.strip()
