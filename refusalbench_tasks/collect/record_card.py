"""What the data card says of collected records: composition, ambiguity, yield."""

from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.settings import ARMS
from refusalbench_tasks.generators.kit.card import counts_table
from refusalbench_tasks.generators.kit.yields import OUTCOMES

Rows = Sequence[Mapping[str, Any]]
AMBIGUITY = "What readers without the gold answer made of the ambiguous sets."
YIELD = "Where every planned record ended, and why."


def record_sections(
    records: Sequence[NotedRecord],
    rows: Rows,
    left_out: str,
) -> list[tuple[str, Sequence[str]]]:
    """Return the headings and paragraphs of a card; `records` are all that were planned
    and scored.
    """
    topics = [(str(row["topic"]),) for row in rows]
    kinds = [(str(row["ambiguity"]["kind"]),) for row in rows]
    sources = [
        (arm, str(source["category"]))
        for row in rows
        for arm in ARMS
        for source in row["source_sets"][arm]
    ]
    composition = (
        counts_table(
            sources,
            "arm",
            "category",
            "sources",
        ),
        counts_table(topics, "topic", "records"),
    )
    by_end = counts_table(
        map(_end_of, records),
        "outcome",
        "stage",
        "reason",
        "records",
    )
    return [
        ("Composition", composition),
        ("Ambiguity", [AMBIGUITY, counts_table(kinds, "kind", "records")]),
        ("Yield", [YIELD, by_end]),
        ("Left out", [left_out]),
    ]


def _end_of(record: NotedRecord) -> tuple[str, str, str]:
    outcome = OUTCOMES[record.accepted]
    if record.reason is None:
        return outcome, "", ""
    return outcome, record.stage, record.reason
