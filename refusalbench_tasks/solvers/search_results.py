"""Passages as a model sees them in a search."""

from collections.abc import Sequence


def numbered(passages: Sequence[str]) -> str:
    """Return the passages as search results `[1] ...`, one paragraph each; a fixed line if there are none."""
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(passages, 1)) or "(no search results)"
