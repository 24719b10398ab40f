"""Markdown and plain text as documents."""

import re
from itertools import pairwise
from typing import Any

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.search import library
from refusalbench_tasks.own.documents.extracted import Extracted, Heading, clean, first_title, one_line

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_LEVEL = re.compile(r"h([1-6])")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def markdown_document(text: str, title: str = "", licence: str = "") -> Extracted:
    """Return a Markdown text with its headings; a front matter's `title` and `licence` (or `license`) win.

    Headings are those of CommonMark, so that a `#` in a block of code is none. What looks like a front matter and is
    no YAML mapping is text.
    """
    whole = clean(text)
    front, body = _front_matter(whole)
    headings = _headings(whole, body)
    return Extracted(
        text=whole,
        title=first_title(_word(front, "title"), title, *(heading.title for heading in headings)),
        licence=_word(front, "licence") or _word(front, "license") or licence,
        headings=headings,
        body=body,
    )


def plain_document(text: str) -> Extracted:
    """Return a plain text; nothing in it is a heading."""
    return Extracted(text=clean(text))


def _front_matter(text: str) -> tuple[dict[str, Any], int]:
    found = _FRONT.match(text)
    if not found:
        return {}, 0
    try:
        values = yaml_value(found[1], "front matter")
    except DataError:
        return {}, 0
    return (values, found.end()) if isinstance(values, dict) else ({}, 0)


def _word(front: dict[str, Any], name: str) -> str:
    value = front.get(name)
    return one_line(str(value)) if isinstance(value, str | int | float) else ""


def _headings(text: str, body: int) -> tuple[Heading, ...]:
    # blocks alone: what stands in a line doesn't matter here, and costs most of the time
    parser = library("markdown_it").MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
    starts = [body]
    for line in text[body:].split("\n"):
        starts.append(min(starts[-1] + len(line) + 1, len(text)))
    tokens = parser.parse(text[body:])
    return tuple(
        Heading(int(level[1]), _plain(inner.content), starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)])
        for token, inner in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and (level := _LEVEL.match(token.tag)) and inner.content
    )


def _plain(heading: str) -> str:
    """Return a heading without the marks of emphasis and links."""
    return one_line(_MARKS.sub("", _LINK.sub(r"\1", heading)))
