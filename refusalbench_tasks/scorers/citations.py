"""The inline citations of an answer, judged without a model."""

import re
from collections.abc import Collection
from dataclasses import dataclass

_BRACKETS = re.compile(r"\[\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\s*\]")


@dataclass(frozen=True)
class Citations:
    """How many citations an answer has, how many point at a passage that exists, how many at a signal passage."""

    total: int
    existing: int
    signal: int


def cited_numbers(reply: str) -> list[int]:
    """Return the numbers in `[n]` and `[n, m]`, in order, repetitions included."""
    return [int(number) for group in _BRACKETS.findall(reply) for number in re.findall(r"\d+", group)]


def count_citations(reply: str, passages: int, signal: Collection[int]) -> Citations:
    """Return the counts; passages are numbered from 1, `signal` holds positions from 0."""
    numbers = cited_numbers(reply)
    existing = [number for number in numbers if 1 <= number <= passages]
    return Citations(len(numbers), len(existing), sum(number - 1 in signal for number in existing))
