"""Logs of `collect` to a folder: records in the released layout and a card; beside it a
sheet for people.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample

from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.record_card import card_sections
from refusalbench_tasks.collect.record_sheet import record_sheet
from refusalbench_tasks.collect.settings import ARMS, SCORER
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.answers import word_key
from refusalbench_tasks.generators.kit.card import DataCard
from refusalbench_tasks.generators.kit.export import write_set
from refusalbench_tasks.generators.kit.runs import TaskRuns, last_score
from refusalbench_tasks.safe_writing import jsonl

TASK = "collect"
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

    rows: list[dict[str, Any]]
    same_question: int
    same_gold_page: int


def distinct_rows(records: Sequence[NotedRecord]) -> DistinctRows:
    """Return the rows of accepted records, the first of each question (by its words)
    and of each gold page.

    They are numbered within their topic; `provenance` has the id that each had in its
    run.
    """
    kept: list[NotedRecord] = []
    seen: dict[str, set[str]] = {"question": set(), "page": set()}
    same: Counter[str] = Counter()
    for one in sorted(records, key=lambda one: one.id):
        row = one.record.row if one.record else {}
        keys = {
            "question": word_key(str(row["question"])),
            "page": row["gold_passage"]["url"],
        }
        known = next((name for name, key in keys.items() if key in seen[name]), None)
        if known:
            same[known] += 1
        else:
            kept.append(one)
            for name, key in keys.items():
                seen[name].add(key)
    numbers: Counter[str] = Counter()
    rows = []
    for one in kept:
        numbers[one.topic] += 1
        rows.append(row_of(one, f"{one.topic}_{numbers[one.topic]:03d}"))
    return DistinctRows(rows, same["question"], same["page"])


def row_of(noted: NotedRecord, id: str) -> dict[str, Any]:
    """Return the row of an accepted record in the released layout, with what the panel
    found.

    `ambiguity.kind` says why readers were left without a common answer. `panel` has
    each arm's distribution of verdicts, its n and entropy in bits.
    """
    assert noted.record is not None
    kind = noted.found["ambiguous"].kind
    row = {
        **noted.record.row,
        "id": id,
        "ambiguity": {"open": True, "kind": kind},
        "ambiguity_type": kind,
    }
    row["panel"] = {
        name: {
            "distribution": one.distribution,
            "n": sum(one.distribution.values()),
            "entropy": one.entropy,
        }
        for name, one in noted.found.items()
    }
    row["provenance"] = {
        "writer": noted.writer,
        "readers": list(noted.readers),
        "planned": noted.id,
    }
    return row


def noted_record(header: EvalLog, sample: EvalSample) -> NotedRecord | None:
    """Return what a sample's last score notes; None for a sample that ended in an
    error.
    """
    score = last_score(sample, SCORER)
    if score is None:
        return None
    return NotedRecord.model_validate(score.metadata or {})


def export_records(
    found: TaskRuns[NotedRecord],
    folder: Path,
    seed: int = 42,
    licence: str | None = None,
) -> tuple[DistinctRows, tuple[Path, ...]]:
    """Write the accepted records of runs to a folder, all files or none; return its
    rows, and what was written.

    Raises DataError if no record was accepted.
    """
    distinct = distinct_rows(
        [one for one in found.items if one.accepted and one.record is not None]
    )
    if not distinct.rows:
        raise DataError(
            "no accepted record in these logs, so there is nothing to export"
        )
    headers = [run.header for run in found.runs]
    stated = licence or WEB_LICENCE
    rows = distinct.rows
    repeated = (
        f"{distinct.same_question} repeat a question, {distinct.same_gold_page} a gold"
        " page"
    )
    left_out = f"Of the accepted records {repeated}."
    sections = (
        [("Licences of the sources", [_rights(rows)])] if stated == WEB_LICENCE else []
    )
    card = DataCard(
        name=NAME,
        about=(
            f"{len(rows)} questions, each with a clear and an ambiguous set of sources."
            f" {RUN}"
        ),
        licence=stated,
        rows=len(rows),
        files={"records": FILE},
        runs=headers,
        settings={"seed": seed},
        sections=[*sections, *card_sections(found.items, rows, left_out)],
        limits=LIMITS,
    )
    files = {"README.md": card.markdown(), FILE: jsonl(rows)}
    return distinct, write_set(folder, files, OURS, record_sheet(rows, SHEET, seed))


def _rights(rows: list[dict[str, Any]]) -> str:
    hosts = len(
        {
            one["domain"]
            for row in rows
            for arm in ARMS
            for one in row["source_sets"][arm]
        }
    )
    return (
        f"Unknown. The sources are pages of {hosts} hosts, whose rights are their"
        " owners'. Their text is quoted for research. Ask before you publish a copy."
    )
