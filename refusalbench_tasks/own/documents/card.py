"""What a corpus holds and what was left out of it."""

from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from refusalbench_tasks.own.documents.walk import LeftOut

CONVERTERS = (
    "trafilatura", "pypdf", "mammoth", "markdown-it-py", "semantic-text-splitter", "sentencex", "datasketch"
)  # fmt: skip


@dataclass
class Card:
    """The numbers of a corpus, gathered document by document."""

    documents: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    """Documents per licence; `unknown` where neither the document nor the caller named one."""
    pages: int = 0
    """Of the formats that have pages."""
    chunks: int = 0
    words: int = 0
    folded: int = 0
    """Chunks that repeat a kept one; they stand in its `also`."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Passages of used documents that were not kept, by reason."""
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[LeftOut] = field(default_factory=list)
    """Documents that were used, with what a reader should know of them."""

    def as_record(self) -> dict[str, Any]:
        """Return the card for a file, with the versions of the converters."""
        return {
            **{name: value for name, value in vars(self).items() if isinstance(value, int | dict)},
            "left_out": [{"source": one.source, "reason": one.reason} for one in self.left_out],
            "notes": [{"source": one.source, "note": one.reason} for one in self.notes],
            "converters": {name: _version(name) for name in CONVERTERS},
        }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
