"""The card of a file of rows: what it holds, where it comes from, and how to make it
again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from typing import Any

LICENCE = "CC0-1.0"


@dataclass
class Card:
    """Counts over rows as they pass, and the text about them."""

    command: str
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    rows: int = 0
    digest: Any = field(default_factory=sha256)

    def passing(
        self,
        rows: Iterable[Mapping[str, Any]],
        names: Sequence[str],
    ) -> Iterable[Mapping[str, Any]]:
        """Yield the rows as they are, and count what is in the columns of these
        names.
        """
        for row in rows:
            self.rows += 1
            self.digest.update(dumps(row, sort_keys=True, ensure_ascii=False).encode())
            for name in names:
                self.counts.setdefault(name, Counter())[str(row[name])] += 1
            yield row

    def text(self, version: str) -> str:
        """Return the card as Markdown."""
        lines = [
            f"# {self.rows:,} synthetic rows, version {version}",
            "",
            (
                "Made from invented worlds by rules; labels are computed, no model and"
                " no person wrote or judged them."
            ),
            "",
            f"- Made with: `{self.command}`",
            f"- Licence: {LICENCE}",
            f"- SHA-256 over the rows as sorted JSON: `{self.digest.hexdigest()}`",
            (
                "- Not measured: whether results carry over to documents that people"
                " wrote."
            ),
        ]
        for name, counts in self.counts.items():
            lines += ["", f"| {name} | rows |", "|---|---|"]
            for value, number in sorted(counts.items()):
                lines.append(f"| {value} | {number:,} |")
        return "\n".join(lines) + "\n"
