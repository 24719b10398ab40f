"""What the data card says of collected records: composition, ambiguity, agreement of
the panel, yield.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from refusalbench_tasks.collect.record import NotedRecord, SourceReading
from refusalbench_tasks.collect.settings import ARMS
from refusalbench_tasks.generators.kit.card import counts_table, table
from refusalbench_tasks.generators.kit.yields import OUTCOMES
from refusalbench_tasks.stats.agreement import krippendorff_alpha

Rows = Sequence[Mapping[str, Any]]


def record_sections(
    records: Sequence[NotedRecord], rows: Rows, left_out: str
) -> list[tuple[str, Sequence[str]]]:
    """Return the headings and paragraphs of a card; `records` are all that were planned
    and scored.
    """
    topics = [(str(row["topic"]),) for row in rows]
    ends = [
        (
            OUTCOMES[record.accepted],
            record.stage if record.reason else "",
            record.reason or "",
        )
        for record in records
    ]
    by_topic = counts_table(topics, "topic", "records")
    by_end = counts_table(ends, "outcome", "stage", "reason", "records")
    return [
        ("Composition", [composition_table(rows), by_topic]),
        (
            "Ambiguity",
            [
                "What readers without the gold answer made of the ambiguous sets.",
                _kinds(rows),
            ],
        ),
        ("Agreement of the panel", [agreement_table(records)]),
        ("Yield", ["Where every planned record ended, and why.", by_end]),
        ("Left out", [left_out]),
    ]


def composition_table(rows: Rows) -> str:
    """Return, by arm and category, sources, those that state the answer, dated ones,
    distinct hosts, mean length.
    """
    lines = []
    for arm in ARMS:
        sources = [one for row in rows for one in row["source_sets"][arm]]
        for category in sorted({one["category"] for one in sources}):
            own = [one for one in sources if one["category"] == category]
            lines.append(
                {
                    "arm": arm,
                    "category": category,
                    "sources": len(own),
                    "a record": round(len(own) / len(rows), 2),
                    "state the answer": sum(
                        one.get("stance") == "states" for one in own
                    ),
                    "dated": sum(bool(one.get("date")) for one in own),
                    "hosts": len({one["domain"] for one in own}),
                    "mean characters": round(fmean(len(one["text"]) for one in own)),
                }
            )
    return table(lines)


def agreement_table(records: Sequence[NotedRecord]) -> str:
    """Return Krippendorff's alpha of the readers' verdicts by arm, over all records
    that two or more read.

    In a set that should settle the question readers stop at the first objection, so its
    alpha is over fewer. Undefined where all verdicts are equal.
    """
    lines = []
    for arm in ARMS:
        items = [
            [_label(one) for one in noted.readings if one.arm == arm]
            for noted in records
        ]
        whole = [item for item in items if sum(label is not None for label in item) > 1]
        alpha = krippendorff_alpha([item for item in items if len(item) > 1])
        agreed = sum(len({label for label in item if label}) == 1 for item in whole)
        told = round(alpha, 3) if alpha == alpha else "undefined"
        lines.append(
            {"arm": arm, "records": len(whole), "unanimous": agreed, "alpha": told}
        )
    return table(lines)


def _label(reading: SourceReading) -> str | None:
    if reading.verdict != "answer":
        return reading.verdict
    return "gold" if reading.gold else "other answer"


def _kinds(rows: Rows) -> str:
    """Return how many records each kind of ambiguity has, and how far their readers
    were apart, in bits.
    """
    bits: dict[str, list[float]] = {}
    for row in rows:
        bits.setdefault(row["ambiguity"]["kind"], []).append(
            row["panel"]["ambiguous"]["entropy"]
        )
    lines = [
        {"kind": kind, "records": len(of), "mean entropy": round(fmean(of), 2)}
        for kind, of in bits.items()
    ]
    return table(sorted(lines, key=lambda line: str(line["kind"])))
