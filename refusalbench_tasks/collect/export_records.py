"""Logs of `collect` to a folder: records in the released layout and a card; beside it a sheet for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.collect.collected_rows import distinct_rows, without_text
from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.record_card import card_sections
from refusalbench_tasks.collect.record_sheet import record_sheet
from refusalbench_tasks.collect.scorer import SCORER
from refusalbench_tasks.collect.settings import ARMS
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.card import DataCard, croissant, sha256_of
from refusalbench_tasks.generators.kit.export import write_set
from refusalbench_tasks.generators.kit.runs import TaskRuns, last_score
from refusalbench_tasks.safe_writing import jsonl

TASK, FILE = "collect", "records.jsonl"
OURS = (FILE, "README.md", "croissant.json")
"""What an export writes: a later one replaces these, and leaves whatever else stands in the folder."""
NAME = "Questions with clear and ambiguous sources"
ABOUT = "Questions with a clear and an ambiguous set of sources, to measure how models express uncertainty."
RUN = (
    "They were collected with `refusalbench_tasks/collect`, have the released layout of BLUFF-1000 and run as `inspect "
    "eval refusalbench_tasks/bluff -T data=records.jsonl`."
)
LIMITS = "Reliability is that of hosts, by lists, not of pages. Dates are those that pages state."
SHEET = 50
"""Records in the sheet, each with both sets."""
WRITTEN_LICENCE, WEB_LICENCE = "CC0-1.0", "unknown"


@dataclass(frozen=True)
class RecordExport:
    """What was written where, and what was left out."""

    rows: int
    weak: int
    same_question: int
    same_gold_page: int
    files: tuple[Path, ...]


def noted_record(header: EvalLog, sample: Mapping[str, Any]) -> NotedRecord | None:
    """Return what a sample's last score notes; None for a sample that ended in an error."""
    score = last_score(sample, SCORER)
    return None if score is None else NotedRecord.model_validate(score.get("metadata") or {})


def export_records(
    found: TaskRuns[NotedRecord], folder: Path, text: bool = True, seed: int = 42, licence: str | None = None
) -> RecordExport:
    """Write the accepted records of runs to a folder, all files or none, and return what was written.

    Without `text`, rows hold addresses, hashes and dates alone, and there is no sheet. Raises DataError if no record
    was accepted, and for runs of found and of written sources together.
    """
    distinct = distinct_rows([one for one in found.items if one.accepted and one.record is not None])
    if not distinct.rows:
        raise DataError("no accepted record in these logs, so there is nothing to export")
    headers = [run.header for run in found.runs]
    kinds = {(header.eval.metadata or {}).get("sources") for header in headers}
    if len(kinds) > 1:
        raise DataError("these logs mix found and written sources; export each kind into its own folder")
    rows = distinct.rows if text else [without_text(row) for row in distinct.rows]
    stated = licence or (WRITTEN_LICENCE if kinds == {"written"} else WEB_LICENCE)
    lines = jsonl(rows)
    published = max(header.eval.created for header in headers)[:10]
    sections = [("Licences of the sources", [_rights(rows, text)])] if stated == WEB_LICENCE else []
    card = DataCard(
        name=NAME,
        about=f"{len(rows)} questions, each with a clear and an ambiguous set of sources. {RUN}",
        licence=stated,
        rows=len(rows),
        files={"records": FILE},
        runs=headers,
        settings={"text": text, "seed": seed},
        sections=[*sections, *card_sections(found.items, distinct)],
        limits=LIMITS,
    )
    files = {
        "README.md": card.markdown(),
        "croissant.json": croissant(NAME, ABOUT, stated, published, {FILE: (sha256_of(lines), rows)}),
        FILE: lines,
    }
    written = write_set(folder, files, OURS, record_sheet(rows, SHEET, seed) if text else None)
    weak = sum(bool(row["weak"]) for row in rows)
    return RecordExport(len(rows), weak, distinct.same_question, distinct.same_gold_page, written)


def _rights(rows: list[dict[str, Any]], with_text: bool) -> str:
    hosts = len({one["domain"] for row in rows for arm in ARMS for one in row["source_sets"][arm]})
    quoted = "Their text is quoted for research." if with_text else "No text of theirs is in this set, only hashes."
    return (
        f"Unknown. The sources are pages of {hosts} hosts, whose rights are their owners'. {quoted} Ask before you "
        "publish a copy."
    )
