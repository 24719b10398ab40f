"""What numbers on the surface of rows tell of their labels, from counts, so that memory does not grow with rows."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.surface import FEATURES

PLACES = 2
"""Decimals to which shares are counted."""


def auc(ours: Mapping[float, int], others: Mapping[float, int]) -> float:
    """Return how often one of ours has the larger value than one of the others, ties for half, in [0, 1].

    NaN if one of them is empty. It is the area under the ROC curve of the value (Hanley and McNeil 1982).
    """
    n, m = sum(ours.values()), sum(others.values())
    below, won = 0, 0.0
    for value in sorted({*ours, *others}):
        won += ours.get(value, 0) * (below + others.get(value, 0) / 2)
        below += others.get(value, 0)
    return won / (n * m) if n and m else float("nan")


def distance(ours: Mapping[float, int], others: Mapping[float, int]) -> float:
    """Return the Kolmogorov-Smirnov distance: the largest difference of the two shares up to a value, in [0, 1].

    NaN if one of them is empty.
    """
    n, m = sum(ours.values()), sum(others.values())
    if not n or not m:
        return float("nan")
    values = sorted({*ours, *others})
    first = accumulate(ours.get(value, 0) for value in values)
    second = accumulate(others.get(value, 0) for value in values)
    return max(abs(a / n - b / m) for a, b in zip(first, second, strict=True))


@dataclass
class Tells:
    """Values of each feature by label, of rows of one passage; rows of intrinsic quads are left out."""

    seen: dict[str, dict[str, Counter[float]]] = field(default_factory=lambda: {name: {} for name in FEATURES})

    def take(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        if row["intrinsic"] or "perturbed_context" not in row:
            return
        for name, feature in FEATURES.items():
            label = self.seen[name].setdefault(str(row["expected_rag_behavior"]), Counter())
            label[round(float(feature(row)), PLACES)] += 1

    def table(self) -> list[str]:
        """Return a table of features: answerable against not, then each code against the other codes; or nothing.

        Each entry is the AUC (.50 tells nothing) and, in brackets, the Kolmogorov-Smirnov distance (0 tells nothing).
        """
        codes = sorted({code for by in self.seen.values() for code in by if code != Label.ANSWER.value})
        if not codes:
            return []
        heads = ["answerable", *(code.removeprefix("REFUSE_") for code in codes)]
        lines = [f"| feature | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
        for name, by in self.seen.items():
            refused = {code: by.get(code, Counter()) for code in codes}
            pairs = [(by.get(Label.ANSWER.value, Counter()), _sum(refused.values()))]
            pairs += [(refused[code], _sum(refused[other] for other in codes if other != code)) for code in codes]
            lines.append(f"| {name} | {' | '.join(_entry(*pair) for pair in pairs)} |")
        return [*lines, ""]


def _sum(counters: Iterable[Counter[float]]) -> Counter[float]:
    found: Counter[float] = Counter()
    for one in counters:
        found.update(one)
    return found


def _entry(ours: Counter[float], others: Counter[float]) -> str:
    told = (auc(ours, others), distance(ours, others))
    return "{:.2f} ({:.2f})".format(*told) if ours and others else ""
