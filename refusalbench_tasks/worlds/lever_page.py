"""The table of levers as a page that people read."""

import csv
from collections import Counter
from importlib.resources import files
from itertools import groupby


def lever_page() -> str:
    """Return `levers.tsv` as a Markdown page: each published lever, whether it is exact here, and how it is done."""
    text = (files("refusalbench_tasks.worlds") / "levers.tsv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t"))
    counts = Counter(row["status"] for row in rows)
    parts = [
        "# Levers of worlds\n",
        "Written by `refusalbench_tasks.worlds.lever_page` from `worlds/levers.tsv`.",
        f"Of {len(rows)} published levers, {', '.join(f'{n} are {status}' for status, n in sorted(counts.items()))}.",
    ]
    for (of, intensity), group in groupby(rows, key=lambda row: (row["class"], row["intensity"])):
        parts += [f"\n## {of} {intensity}\n", "| lever | status | how |", "|---|---|---|"]
        parts += [f"| {row['lever']} | {row['status']} | {row['how']} |" for row in group]
    return "\n".join(parts) + "\n"
