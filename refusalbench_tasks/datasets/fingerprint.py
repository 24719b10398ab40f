"""What identifies the content of a set of items."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

_JSON = json.JSONEncoder(sort_keys=True)
_PART = {"control"}
"""What says which part a row has in a run, and nothing of its content."""
_OPTIONAL = {
    "ambiguity",
    "ambiguity_kind",
    "accepted_alternatives",
    "answer_type",
    "pair",
    "intrinsic",
    "knobs",
    "question_id",
    "factors",
    "conflict_about",
}
"""What few data sets have: where it is missing, the fingerprint is that of logs from before it was read."""


def fingerprint(items: Sequence[BaseModel]) -> str:
    """Return 16 hex digits that depend on the content of every item and not on their order."""
    lines = sorted(_JSON.encode(_content(item)) for item in items)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _content(item: BaseModel) -> dict[str, Any]:
    values = item.model_dump(mode="json", exclude=_PART)
    return {
        name: value for name, value in values.items() if name not in _OPTIONAL or value not in (None, [], "", {}, False)
    }
