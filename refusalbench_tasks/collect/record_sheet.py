"""The sheet by which people check records, blind to the categories,
and the key to it.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from refusalbench_tasks.collect.settings import ARMS
from refusalbench_tasks.generators.kit.export import PeopleSheet

FILLED = ("verdict", "answer", "used", "comment")
COLUMNS = ("item", "question", "sources", *FILLED)
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
Row = Mapping[str, Any]


def record_sheet(
    rows: Sequence[Row],
    n: int,
    seed: int,
) -> PeopleSheet:
    """Return a sheet with a row for each arm of n records drawn by seed, shuffled, and
    its key.
    """
    rng = Random(seed)
    drawn = rng.sample(list(rows), min(n, len(rows)))
    cases = [(row, arm) for row in drawn for arm in ARMS]
    rng.shuffle(cases)
    sheet = []
    key = []
    for number, (row, arm) in enumerate(cases, 1):
        item = {"item": f"R{number:03d}"}
        sources = _numbered_sources(row["source_sets"][arm])
        sheet.append(
            item
            | {
                "question": str(row["question"]),
                "sources": sources,
            }
        )
        key.append(item | _key_row(row, arm))
    return PeopleSheet(
        COLUMNS,
        FILLED,
        sheet,
        key,
        GUIDE,
    )


def _key_row(row: Row, arm: str) -> dict[str, str]:
    distractions = [
        str(number)
        for number, source in enumerate(row["source_sets"][arm], 1)
        if source["category"] == "distraction"
    ]
    return {
        "id": str(row["id"]),
        "arm": arm,
        "gold_answer": str(row["gold_answer"]),
        "kind": str(row["ambiguity"]["kind"]) if arm == "ambiguous" else "",
        "distractions": ", ".join(distractions),
    }


def _numbered_sources(sources: Sequence[Row]) -> str:
    parts = []
    for number, source in enumerate(sources, 1):
        date = source.get("date") or "no date"
        head = f"[{number}] {source['title']} | {source['url']} | {date}"
        parts.append(f"{head}\n{source['text']}")
    return "\n\n".join(parts)
