"""The id of a passage."""

import hashlib


def passage_id(text: str) -> str:
    """Return the id of a passage: it depends on its text alone."""
    return f"p-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
