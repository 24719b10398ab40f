"""What tells one text from another in ids and logs."""

import hashlib


def text_digest(*parts: str) -> str:
    """Return 16 hex digits that depend on the parts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
