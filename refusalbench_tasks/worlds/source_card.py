"""The data card of a file of made sources: what it holds, counted while it is written."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from refusalbench_tasks.datasets.factorial import FACTORS
from refusalbench_tasks.worlds.card import LICENCE
from refusalbench_tasks.worlds.factorial import BALANCED, PAIRS
from refusalbench_tasks.worlds.hearing import VERSION

COUNTED = ("topic", "answer_type", "ambiguity_type")
"""The columns whose values are counted."""
DESIGNED = ("arm", "gap", "rival", "wording", "date")
"""What of the design is counted: by which factor a row's sets differ, and what all sets of a question share."""

_CONFLICTS = (
    "Where the sources of a set don't suffice and disagree, they disagree on what they speak of: on another thing, on "
    "the value that held, or on bounds. Only `asked` is a conflict on the answer. In a set about another thing every "
    "source is silent on what is asked."
)


@dataclass
class SourceCard:
    """Counts of rows with sets of sources, taken row by row, so that memory does not grow with them."""

    seed: int
    first: int
    rows: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    cells: Counter[tuple[str, ...]] = field(default_factory=Counter)
    stances: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    places: Counter[tuple[str, int]] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _hash: Any = field(default_factory=sha256)

    def take(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        self.rows += 1
        for name in COUNTED:
            self.counts[name][str(row[name])] += 1
        for name in DESIGNED:
            self.counts[f"design: {name}"][str(row["design"][name])] += 1
        for arm, sources in row["source_sets"].items():
            self.cells[arm, *(row["factors"][arm][name] for name in FACTORS)] += 1
            if about := row["conflict_about"][arm]:
                self.conflicts[arm, about, row["factors"][arm]["sufficiency"]] += 1
            self.open[arm] += row["readings"][arm]["weighed"] != row["gold_answer"]
            for one in sources:
                self.stances[arm, one["category"], one["stance"]] += 1
                self.places[one["category"], one["position"]] += 1
                self.words[arm] += len(one["text"].split())
                self._hash.update(f"{row['id']}{arm}{one['text']}".encode())

    def text(self) -> str:
        """Return the card as Markdown, with front matter as the Hugging Face hub reads it."""
        whole = "Every combination of the design is in them equally often, but for stale dates."
        part = f"The design is balanced over {BALANCED} questions, so it is not quite in these."
        lengths = (f"{arm} {n / self._sources(arm):.1f}" for arm, n in sorted(self.words.items()))
        opened = (f"{self.open[arm]:,} {arm}" for arm in sorted(self.words))
        return "\n".join(
            (
                "---",
                f"license: {LICENCE.lower()}",
                "language: [en]",
                "tags: [hedging, uncertainty, retrieval-augmented-generation, synthetic]",
                "---",
                "",
                f"# Made sources, seed {self.seed}, rows {self.first} to {self.first + self.rows - 1}",
                "",
                f"{self.rows:,} rows of {self.rows // PAIRS:,} questions, version {VERSION}; each row has a clear and "
                "an ambiguous set of five sources, which differ in one factor.",
                whole if self.rows % (BALANCED * PAIRS) == 0 else part,
                "Stances, values and readings are computed from what the sources say, and each text was read back by a "
                "reader of its own.",
                f"Words a source: {', '.join(lengths)}. Sets that leave the answer open: {', '.join(opened)}.",
                f"Ids and texts: sha256 {self._hash.hexdigest()}.",
                "The facts are invented, and no person has checked these rows.",
                _CONFLICTS,
                "",
                *(line for name in self.counts for line in _table((name, "rows"), self.counts[name])),
                *_table(("arm", *FACTORS, "sets"), self.cells),
                *_table(("arm", "conflict about", "sufficiency", "sets"), self.conflicts),
                *_table(("arm", "category", "stance", "sources"), self.stances),
                *_table(("category", "position", "sources"), self.places),
            )
        )

    def _sources(self, arm: str) -> int:
        return sum(n for (of, _, _), n in self.stances.items() if of == arm)


def _table(names: tuple[str, ...], counts: Mapping[Any, int]) -> list[str]:
    rows = (((key,) if isinstance(key, str) else key, n) for key, n in sorted(counts.items()))
    lines = (f"| {' | '.join(map(str, key))} | {n:,} |" for key, n in rows)
    return [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}", *lines, ""]
