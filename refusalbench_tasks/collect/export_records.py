"""Logs of `collect` to a folder: records in the released layout, a card, and a sheet for people."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.collect.collected_rows import distinct_records, row_of, without_text
from refusalbench_tasks.collect.collection_logs import CollectionRun
from refusalbench_tasks.collect.outcome import NotedRecord
from refusalbench_tasks.collect.record_card import NAME, WEB_LICENCE, record_card
from refusalbench_tasks.collect.record_sheet import COLUMNS, FILLED, GUIDE, KEY, record_sheet
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.croissant import croissant, sha256_of
from refusalbench_tasks.safe_writing import jsonl, write_folder
from refusalbench_tasks.sheets import keep_filled, sheet_csv

OURS = ("records.jsonl", "README.md", "croissant.json", "validation.csv", "validation_key.csv", "validation_guide.md")
"""What an export writes: a later one replaces these, and leaves whatever else stands in the folder."""
ABOUT = "Questions with a clear and an ambiguous set of sources, to measure how models express uncertainty."
SHEET = 50
"""Records in the sheet, each with both sets."""
MADE_LICENCE = "CC0-1.0"


@dataclass(frozen=True)
class RecordExport:
    """What was written where, and what was left out."""

    rows: int
    weak: int
    same_question: int
    same_gold_page: int
    files: tuple[Path, ...]


def export_records(
    runs: Sequence[CollectionRun],
    folder: Path,
    text: bool = True,
    seed: int = 42,
    licence: str | None = None,
) -> RecordExport:
    """Write the accepted records of runs to a folder, all files or none, and return what was written.

    Without `text`, rows hold addresses, hashes and dates alone, and there is no sheet. Raises DataError if no record
    was accepted, and for runs of found and of written sources together.
    """
    accepted = [one for run in runs for one in run.records if one.accepted and one.record is not None]
    if not accepted:
        raise DataError("no accepted record in these logs, so there is nothing to export")
    kinds = {(run.header.eval.metadata or {}).get("sources") for run in runs}
    if len(kinds) > 1:
        raise DataError("these logs mix found and written sources; export each kind into its own folder")
    distinct = distinct_records(accepted)
    rows = [row_of(one, name) for one, name in zip(distinct.records, _ids(distinct.records), strict=True)]
    shown = rows if text else [without_text(row) for row in rows]
    stated = licence or (MADE_LICENCE if kinds == {"written"} else WEB_LICENCE)
    lines = jsonl(shown)
    published = max(run.header.eval.created for run in runs)[:10]
    files = {
        "README.md": record_card(runs, distinct, shown, stated, text),
        "croissant.json": croissant(NAME, ABOUT, stated, published, {"records.jsonl": (sha256_of(lines), shown)}),
    }
    if text:
        sheet, key = record_sheet(rows, SHEET, seed)
        files["validation.csv"], files["validation_key.csv"] = sheet_csv(COLUMNS, sheet), sheet_csv(KEY, key)
        files["validation_guide.md"] = GUIDE
    files["records.jsonl"] = lines
    keep_filled(folder / "validation.csv", FILLED)
    write_folder(folder, files, OURS)
    weak = sum(one.weak for one in distinct.records)
    written = tuple(folder / name for name in files)
    return RecordExport(len(rows), weak, distinct.same_question, distinct.same_gold_page, written)


def _ids(records: Sequence[NotedRecord]) -> list[str]:
    """Return an id for each record: its own, numbered on within its topic where runs have one twice."""
    if len({one.id for one in records}) == len(records):
        return [one.id for one in records]
    numbers: Counter[str] = Counter()
    ids = []
    for one in records:
        numbers[one.topic] += 1
        ids.append(f"{one.topic}_{numbers[one.topic]:03d}")
    return ids
