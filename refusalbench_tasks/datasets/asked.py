"""What a sample asks, as text: the question, and below it the passages that it is asked about."""

from collections.abc import Mapping, Sequence
from typing import Any


def asked(question: str, passages: Sequence[str]) -> str:
    """Return a sample's input: the question, then the numbered passages, each in a paragraph of its own.

    Rows that ask the same of different passages have different inputs so: tools that look for duplicates go by the
    input, and a plain `generate()` in place of our prompt still sees all that a row holds.
    """
    return "\n\n".join([question, *(f"[{number}] {text}" for number, text in enumerate(passages, start=1))])


def question_in(metadata: Mapping[str, Any], text: str) -> str:
    """Return the question of a sample with this metadata: its row's, else `text`, the input of another task."""
    query = metadata.get("query")
    return query if isinstance(query, str) else text
