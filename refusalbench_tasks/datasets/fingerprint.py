"""What identifies the content of a set of items."""

import hashlib
import json
from collections.abc import Sequence

from pydantic import BaseModel

_PART = {"control"}
"""What says which part a row has in a run, and nothing of its content."""


def fingerprint(items: Sequence[BaseModel]) -> str:
    """Return 16 hex digits that depend on the content of every item and not on their order."""
    lines = sorted(json.dumps(item.model_dump(mode="json", exclude=_PART), sort_keys=True) for item in items)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
