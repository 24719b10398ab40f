"""Logs of `collect` to a folder: records in the released layout and a card; beside it a
sheet for people.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.answers import word_key
from refusalbench_tasks.generators.kit.card import DataCard, counts_table
from refusalbench_tasks.generators.kit.export import PeopleSheet, write_set
from refusalbench_tasks.generators.kit.runs import TaskRuns
from refusalbench_tasks.generators.kit.yields import OUTCOMES
from refusalbench_tasks.log_reading import LogHeaders
from refusalbench_tasks.safe_writing import jsonl

from .record import COLLECT, NotedRecord, Record
from .settings import ARMS

RecordRow = dict[str, Any]

FILE = "records.jsonl"
OURS = (FILE, "README.md")
"""What an export writes: a later one replaces these, and leaves whatever else stands in
the folder.
"""
NAME = "Questions with clear and ambiguous sources"
RUN = (
    "They were collected with `refusalbench_tasks/collect`, have the released layout of"
    " BLUFF-1000 and run as `inspect eval refusalbench_tasks/bluff -T"
    " data=records.jsonl`."
)
LIMITS = (
    "Reliability is that of hosts, by lists, not of pages. Dates are those that pages"
    " state."
)
SHEET = 50
"""Records in the sheet, each with both sets."""
WEB_LICENCE = "unknown"


@dataclass(frozen=True)
class DistinctRows:
    """The rows whose questions and gold pages no earlier record has, and how many were
    left out for either.
    """

    rows: list[RecordRow]
    same_question: int
    same_gold_page: int


def distinct_rows(records: Iterable[NotedRecord]) -> DistinctRows:
    """Return the rows of accepted records, the first of each question (by its words)
    and of each gold page.

    They are numbered within their topic; `provenance` has the id that each had in its
    run.
    """
    rows = []
    questions = set()
    pages = set()
    same: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for noted in sorted(records, key=lambda noted: noted.id):
        record = noted.record
        if not noted.accepted or record is None:
            continue
        question = word_key(record.question)
        page = record.row["gold_passage"]["url"]
        if question in questions:
            same["question"] += 1
        elif page in pages:
            same["page"] += 1
        else:
            questions.add(question)
            pages.add(page)
            numbers[noted.topic] += 1
            id = f"{noted.topic}_{numbers[noted.topic]:03d}"
            rows.append(record_row(noted, record, id))
    return DistinctRows(rows, same["question"], same["page"])


def record_row(
    noted: NotedRecord,
    record: Record,
    id: str,
) -> RecordRow:
    """Return the row of an accepted record in the released layout, with what the panel
    found.

    `ambiguity.kind` says why readers were left without a common answer. `panel` has
    each arm's distribution of verdicts, its n and entropy in bits.
    """
    kind = noted.found["ambiguous"].kind
    panel = {}
    for name, arm in noted.found.items():
        n = sum(arm.distribution.values())
        panel[name] = {
            "distribution": arm.distribution,
            "n": n,
            "entropy": arm.entropy,
        }
    return {
        **record.row,
        "id": id,
        "ambiguity": {
            "open": True,
            "kind": kind,
        },
        "ambiguity_type": kind,
        "panel": panel,
        "provenance": {
            "writer": noted.writer,
            "readers": list(noted.readers),
            "planned": noted.id,
        },
    }


def find_record_runs(logs: Iterable[str] | LogHeaders) -> TaskRuns[NotedRecord]:
    """Return the finished runs of `collect` in files and folders; what cannot be read
    is left out and named.
    """
    return COLLECT.read(logs, lambda header, sample, score, noted: noted)


def export_records(
    runs: TaskRuns[NotedRecord],
    folder: Path,
    seed: int,
    licence: str | None,
) -> tuple[DistinctRows, list[Path]]:
    """Write the accepted records of runs to a folder, all files or none; return its
    rows, and what was written.

    Raises DataError if no record was accepted.
    """
    distinct = distinct_rows(runs.items)
    rows = distinct.rows
    if not rows:
        raise DataError(
            "no accepted record in these logs, so there is nothing to export"
        )
    left_out = (
        f"Of the accepted records {distinct.same_question} repeat a question,"
        f" {distinct.same_gold_page} a gold page."
    )
    sections = record_sections(runs.items, rows, left_out)
    if licence is None:
        sections.insert(0, ("Licences of the sources", [_rights(rows)]))
    card = DataCard(
        name=NAME,
        about=(
            f"{len(rows)} questions, each with a clear and an ambiguous set of sources."
            f" {RUN}"
        ),
        licence=licence or WEB_LICENCE,
        rows=len(rows),
        files={"records": FILE},
        runs=[run.header for run in runs.runs],
        settings={"seed": seed},
        sections=sections,
        limits=LIMITS,
    )
    files = {
        "README.md": card.markdown(),
        FILE: jsonl(rows),
    }
    return distinct, write_set(
        folder,
        files,
        OURS,
        record_sheet(rows, SHEET, seed),
    )


def _rights(rows: Sequence[RecordRow]) -> str:
    hosts = {
        source["domain"]
        for row in rows
        for arm in ARMS
        for source in row["source_sets"][arm]
    }
    return (
        f"Unknown. The sources are pages of {len(hosts)} hosts, whose rights are their"
        " owners'. Their text is quoted for research. Ask before you publish a copy."
    )


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
        parts = []
        for position, source in enumerate(row["source_sets"][arm], 1):
            date = source.get("date") or "no date"
            head = f"[{position}] {source['title']} | {source['url']} | {date}"
            parts.append(f"{head}\n{source['text']}")
        sheet.append(
            item
            | {
                "question": str(row["question"]),
                "sources": "\n\n".join(parts),
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
