"""The sheet by which people check records, blind to the categories,
and the key to it.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from refusalbench_tasks.collect.settings import ARMS
from refusalbench_tasks.generators.kit.export import PeopleSheet

FILLED = ("verdict", "answer", "used", "comment")
GUIDE = """# How to fill in the sheet

Read the question and the numbered sources of a row, and nothing else.
Don't look anything up.

- `verdict`: `answer` if the sources settle one answer;
  `conflict` if they give different ones and nothing decides;
  `missing` if they don't say it; `outdated` if what they say held at another time;
  `vague` if it is too inexact.
- `answer`: with the verdict `answer`, in a few words.
- `used`: the numbers of the sources that your verdict rests on, with commas.

Two people should fill in a sheet each, without speaking to each other.
Open the key afterwards.
"""


def record_sheet(rows: Sequence[Mapping[str, Any]], n: int, seed: int) -> PeopleSheet:
    """Return a sheet with a row for each arm of n records drawn by seed, shuffled, and
    its key.
    """
    rng = Random(seed)
    cases = [
        (row, arm) for row in rng.sample(list(rows), min(n, len(rows))) for arm in ARMS
    ]
    rng.shuffle(cases)
    sheet = []
    key = []
    for number, (row, arm) in enumerate(cases, 1):
        item = f"R{number:03d}"
        sources = row["source_sets"][arm]
        sheet.append(
            {"item": item, "question": str(row["question"]), "sources": _shown(sources)}
        )
        distractions = [
            str(k)
            for k, one in enumerate(sources, 1)
            if one["category"] == "distraction"
        ]
        key.append(
            {
                "item": item,
                "id": str(row["id"]),
                "arm": arm,
                "gold_answer": str(row["gold_answer"]),
                "kind": str(row["ambiguity"]["kind"]) if arm == "ambiguous" else "",
                "distractions": ", ".join(distractions),
            }
        )
    return PeopleSheet(
        ("item", "question", "sources", *FILLED), FILLED, sheet, key, GUIDE
    )


def _shown(sources: Sequence[Mapping[str, Any]]) -> str:
    parts = (
        f"[{number}] {one['title']} | {one['url']} |"
        f" {one.get('date') or 'no date'}\n{one['text']}"
        for number, one in enumerate(sources, 1)
    )
    return "\n\n".join(parts)
