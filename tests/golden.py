"""Vectors from the released BLUFF evaluator, which lie beside the project and not in
it.
"""

import json
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "shared" / "data" / "bluff_golden.json"
needs_golden = pytest.mark.skipif(
    not PATH.is_file(), reason="the vectors of the released evaluator are not here"
)


def golden(part: str) -> Any:
    """Return one part of the vectors."""
    return json.loads(PATH.read_text(encoding="utf-8"))[part]
