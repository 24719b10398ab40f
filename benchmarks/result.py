"""One line of the benchmark table."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What was measured, the measured value with its unit, and how it was measured."""

    name: str
    value: str
    method: str


def markdown(results: Sequence[Result]) -> str:
    """Return the table in Markdown."""
    lines = ["| benchmark | measured | method |", "|---|---|---|"]
    lines += [f"| {r.name} | {r.value} | {r.method} |" for r in results]
    return "\n".join(lines)
