"""The text that was taken from a document, with its headings and pages."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from refusalbench_tasks.replies.outside_text import one_line, well_formed

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")


class Unusable(Exception):
    """A document that can't be used; the message is the reason that
    a reader is told.
    """


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1, its words, and where it stands in the text."""

    level: int
    title: str
    start: int
    end: int


@dataclass(frozen=True)
class TextSection:
    """What stands between two headings, and the headings above it, outermost first."""

    headings: tuple[str, ...]
    start: int
    end: int
    bare: bool = False
    """Whether it is a heading with nothing below."""


@dataclass(frozen=True)
class Extracted:
    """A document's text. Offsets of headings, pages and chunks are positions in it."""

    text: str
    title: str = ""
    licence: str = ""
    headings: tuple[Heading, ...] = ()
    page_starts: tuple[int, ...] = ()
    """Where each page begins; empty for formats without pages."""
    body: int = 0
    """Where the text begins, behind what describes the document."""
    note: str = ""
    """What a reader should know of it, for example that some pages are pictures."""

    def sections(self) -> list[TextSection]:
        """Return the sections in order; of the empty ones only those without a section
        below, as a bare heading.
        """
        sections = []
        open_: list[Heading] = []
        end = len(self.text)
        for heading in (
            *self.headings,
            Heading(
                0,
                "",
                end,
                end,
            ),
        ):
            path = tuple(above.title for above in open_)
            start = open_[-1].end if open_ else self.body
            if self.text[start : heading.start].strip():
                sections.append(TextSection(path, start, heading.start))
            elif open_ and heading.level <= open_[-1].level:
                bare = TextSection(
                    path[:-1],
                    open_[-1].start,
                    start,
                    bare=True,
                )
                sections.append(bare)
            open_ = [above for above in open_ if above.level < heading.level]
            open_.append(heading)
        return sections

    def page_at(self, offset: int) -> int | None:
        """Return the page, from 1, on which an offset lies; None without pages."""
        if not self.page_starts:
            return None
        return max(1, bisect_right(self.page_starts, offset))


def clean(text: str) -> str:
    r"""Return a text with `\n` as line end, without control characters, and with U+FFFD
    for half a surrogate pair.
    """
    return well_formed(_CONTROL.sub("", re.sub(r"\r\n|[\r\f\v]", "\n", text)))


def first_title(*candidates: object) -> str:
    """Return the first candidate that is not blank, in one line; nothing if there is
    none.
    """
    return next(filter(None, map(one_line, filter(None, candidates))), "")
