"""The inline citations of an answer, judged without a model."""

import re
from collections.abc import Collection
from typing import NamedTuple

_NUMBER = r"\d{1,3}(?!\d)"
_TO = r"\s*[-‐-―−]\s*"
_PART = rf"{_NUMBER}(?:{_TO}{_NUMBER})?(?:†[^\[\]［］【】†]{{0,80}})?"
_LABEL = r"""
(?:
    \^
    | (?:
        passage
        | source
        | document
        | doc
        | reference
        | ref
        | result
        | search\ result
    )s?\.?\s*(?:no\.?|\#|№)?
)?
"""
_CITATION = re.compile(
    rf"""
    (?P<definition>^[ ]{{0,3}}\[\^{_NUMBER}\]:)
    | \\?[\[［【]\s*{_LABEL}\s*
      (?P<numbers>{_PART}(?:\s*(?:[,;，；、&]|and)\s*{_PART})*)
      \s*\\?[\]］】]
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_RANGE = re.compile(rf"(?P<first>\d+)(?:{_TO}(?P<last>\d+))?(?:†[^,;，；、]*)?")
_BETWEEN = re.compile(_TO)
_WIDEST = 50
"""A range of more numbers than these stands for its two ends: nobody reads out so many
passages.
"""


class Citations(NamedTuple):
    """How many citations an answer has, how many point at a passage that exists, how
    many at a signal passage.
    """

    total: int
    existing: int
    signal: int


def cited_numbers(reply: str) -> list[int]:
    """Return the numbers of the passages that a reply cites, in order, repetitions
    included.

    A citation is one to three digits in square, full-width or lenticular brackets,
    escaped or not: `[n]`, `[n, m]`, `[n-m]`, `[n]-[m]`, `[^n]`, `[Passage n]`,
    `【n†source】`. A range counts each of its numbers, and only its ends where it runs
    backwards or has more than 50. The line that defines a footnote is no citation (our
    definition).
    """
    numbers: list[int] = []
    end: int | None = None
    for citation in _CITATION.finditer(reply):
        if citation["definition"]:
            end = None
            continue
        cited = []
        for part in _RANGE.finditer(citation["numbers"]):
            cited += _between(int(part["first"]), int(part["last"] or part["first"]))
        if end is not None and _BETWEEN.fullmatch(reply, end, citation.start()):
            numbers += _between(numbers[-1], cited[0])[1:-1]
        numbers += cited
        end = citation.end()
    return numbers


def without_citations(text: str) -> str:
    """Return a text with a space in place of each citation."""
    return _CITATION.sub(" ", text)


def count_citations(
    reply: str,
    passages: int,
    signal: Collection[int],
) -> Citations:
    """Return the counts; passages are numbered from 1, `signal`
    holds positions from 0.
    """
    numbers = cited_numbers(reply)
    existing = [number for number in numbers if 1 <= number <= passages]
    signals = [number for number in numbers if number - 1 in signal]
    return Citations(
        len(numbers),
        len(existing),
        len(signals),
    )


def _between(first: int, last: int) -> list[int]:
    """Return the numbers of a range; its ends alone where it runs backwards or is wide,
    one number where they are one.
    """
    if first <= last < first + _WIDEST:
        return list(range(first, last + 1))
    return [first, last]
