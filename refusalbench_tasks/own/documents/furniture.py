"""What stands in a document and says nothing: lines repeated on pages, lists of links, tables of contents."""

import re
from collections import Counter
from collections.abc import Sequence

from refusalbench_tasks.generators.kit.words import word_count

EDGE = 3
"""How many lines at each end of a page may be its header or footer."""
PAGES = 3
"""On how many pages, at least, a line repeats (or a twentieth of them, if that is more)."""
LINKED = 0.5
"""The share of a passage's words in links from which on it is a list of links."""

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|<?https?://\S+")
_LEADER = re.compile(r"(?:\.{3,}|…|(?:\. ){3,}|_{3,})\s*(?:\d+|[ivxlc]+)\s*$")
_NUMBER = re.compile(r"[\W_]*(?:(?:page|seite|página)\s+)?\d*[\W_]*", re.IGNORECASE)


def without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of pages without headers and footers: what repeats at their edges, numbers aside."""
    edges = [_edges(page) for page in pages]
    seen = Counter(key for page, at in zip(pages, edges, strict=True) for key in {_key(page[k]) for k in at})
    least = max(PAGES, len(pages) / 20)
    kept = []
    for page, at in zip(pages, edges, strict=True):
        # a number alone is a page's number even in a short document
        drop = {k for k in at if seen[_key(page[k])] >= least or (len(pages) > 1 and _NUMBER.fullmatch(page[k]))}
        kept.append([line for k, line in enumerate(page) if k not in drop])
    return kept


def is_link_list(text: str) -> bool:
    """Whether at least three links hold half of a Markdown passage's words or more."""
    links = _LINK.findall(text)
    linked = sum(max(1, word_count(words)) for words in links)
    return len(links) >= 3 and linked >= LINKED * (linked + word_count(_LINK.sub("", text)))


def is_contents(text: str) -> bool:
    """Whether most lines end with dots and a page number, as those of a table of contents do."""
    lines = [line for line in text.splitlines() if line.strip()]
    leaders = sum(map(has_leader, lines))
    return leaders >= 3 and leaders >= 0.5 * len(lines)


def has_leader(line: str) -> bool:
    """Whether a line ends with a row of dots and a page number."""
    return bool(_LEADER.search(line))


def _edges(page: Sequence[str]) -> list[int]:
    full = [k for k, line in enumerate(page) if line.strip()]
    return sorted({*full[:EDGE], *full[-EDGE:]})


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.casefold().split()))
