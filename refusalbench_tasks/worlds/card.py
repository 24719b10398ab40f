"""The data card of a file of rows: what it holds, counted while it is written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.rows import CELLS, VERSION
from refusalbench_tasks.worlds.tells import Tells

COUNTED = ("perturbation_class", "intensity", "expected_rag_behavior", "domain", "answer_type", "question_type")
"""The columns whose values are counted."""
LICENCE = "CC0-1.0"
SAMPLE = 10_000
"""Rows that classifiers on counted words are tried on."""
READ = ("source_id", "expected_rag_behavior", "intrinsic", "perturbed_query", "perturbed_context")
"""The columns that they look at."""


@dataclass
class Card:
    """Counts of rows, taken batch by batch, so that memory does not grow with them."""

    seed: int
    first: int
    rows: int = 0
    left_out: int = 0
    """Quads of the range that could not be proven."""
    intrinsic: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in COUNTED})
    levers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    registers: Counter[str] = field(default_factory=Counter)
    tells: Tells = field(default_factory=Tells)
    sampled: list[dict[str, Any]] | None = None
    """The first rows, for classifiers on counted words; None where these are not wanted."""
    _hash: Any = field(default_factory=sha256)

    def take(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Count rows."""
        for row in rows:
            self.rows += 1
            self.intrinsic += bool(row["intrinsic"])
            for name in COUNTED:
                self.counts[name][str(row[name])] += 1
            self.levers[row["perturbation_class"], row["intensity"], row["lever_selected"]] += 1
            self.registers[str(row["knobs"]["register"])] += 1
            self.tells.take(row)
            if self.sampled is not None and len(self.sampled) < SAMPLE:
                self.sampled.append({name: row[name] for name in READ})
            self._hash.update(f"{row['id']}{row['expected_rag_behavior']}{row['original_answers']}".encode())

    def text(self) -> str:
        """Return the card as Markdown, with front matter as the Hugging Face hub reads it."""
        answerable = self.counts["expected_rag_behavior"][Label.ANSWER.value]
        quads = self.rows // CELLS
        last = self.first + CELLS * (quads + self.left_out) - 1
        return "\n".join(
            (
                "---",
                f"license: {LICENCE.lower()}",
                "language: [en]",
                "tags: [refusal, abstention, retrieval-augmented-generation, synthetic]",
                "---",
                "",
                f"# Worlds, seed {self.seed}, rows {self.first} to {last}",
                "",
                f"{self.rows:,} rows in {quads:,} quads, version {VERSION}; {answerable:,} are answerable, "
                f"{self.intrinsic:,} stand in quads whose question alone tells.",
                "Labels are computed from what the passages state, and each row was proven by a reader of its text.",
                *([f"Quads that could not be proven, and are left out: {self.left_out}."] if self.left_out else []),
                f"Ids, labels and answers: sha256 {self._hash.hexdigest()}.",
                "",
                *(line for name in COUNTED for line in _table(name, self.counts[name])),
                *_table("register", self.registers),
                *_surface(self.tells.table()),
                *(_shortcuts(self.sampled) if self.sampled is not None else ()),
                *_table("lever", Counter({" · ".join(key): n for key, n in self.levers.items()})),
            )
        )


def _surface(table: list[str]) -> list[str]:
    if not table:
        return []
    return [
        "What numbers on the surface tell: area under the ROC curve (.50: nothing) and Kolmogorov-Smirnov distance (0: "
        "nothing), of answerable rows against the others, and of each code against the other codes.",
        "",
        *table,
    ]


def _shortcuts(rows: list[dict[str, Any]]) -> list[str]:
    # numpy and scikit-learn have no place in the memory of those who only make rows
    from refusalbench_tasks.worlds.shortcuts import shortcut_lines

    return shortcut_lines(rows)


def _table(name: str, counts: Counter[str]) -> list[str]:
    return [f"| {name} | rows |", "|---|---|", *(f"| {value} | {n:,} |" for value, n in sorted(counts.items())), ""]
