"""Generation logs to a data set in the released layout, with controls, card and validation sheet."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.folders import write_folder
from refusalbench_tasks.files.spreadsheet import sheet_csv
from refusalbench_tasks.files.writing import jsonl
from refusalbench_tasks.generators.balance import balanced, distinct_items
from refusalbench_tasks.generators.bases import base_row
from refusalbench_tasks.generators.card import data_card
from refusalbench_tasks.generators.generation_logs import Generated, GenerationRun
from refusalbench_tasks.generators.released_rows import row_of
from refusalbench_tasks.generators.validation_sheet import COLUMNS, PER_CELL, draw_sheet, is_filled

OURS = ("controls.jsonl", "README.md", "validation.csv", "validation_key.csv", "rows.parquet", "rows.jsonl")
"""What an export writes: a later one replaces these, and leaves whatever else stands in the folder."""


@dataclass(frozen=True)
class Export:
    """What was written where, and what was left out."""

    rows: int
    controls: int
    repeats: int
    conflicts: int
    files: tuple[Path, ...]


def export(
    runs: Sequence[GenerationRun],
    folder: Path,
    per_stratum: int | None = 22,
    per_generator: int | None = 400,
    seed: int = 42,
    per_cell: int = PER_CELL,
    prefix: str = "RB-FRESH",
    licence: str | None = None,
    parquet: bool = False,
) -> Export:
    """Write the accepted items of runs to a folder, all files or none, and return what was written.

    `rows.jsonl` (and `rows.parquet`) in the released layout, `controls.jsonl` with the originals, `README.md` as data
    card, `validation.csv` for people and `validation_key.csv` with the row of each of its items. Raises DataError if no
    item was accepted, and if single-passage and ten-passage runs are mixed.
    """
    accepted = [item for run in runs for item in run.items if item.accepted]
    if not accepted:
        raise DataError("no accepted item in these logs, so there is nothing to export")
    if len({item.slot.multi for item in accepted}) > 1:
        raise DataError("these logs mix one-passage and ten-passage items; export each kind into its own folder")
    distinct = distinct_items(accepted)
    chosen = balanced(distinct.items, per_stratum, per_generator, seed)
    rows = [row_of(item, number, prefix) for number, item in enumerate(chosen, 1)]
    controls = _controls(chosen)
    settings = {"per stratum and generator": per_stratum, "per generator": per_generator, "seed of the draw": seed}
    card = data_card(runs, distinct, rows, settings, licence or _licence(runs))
    sheet = draw_sheet(rows, per_cell, seed)
    files: dict[str, str | bytes] = {
        "controls.jsonl": jsonl(controls),
        "README.md": card,
        "validation.csv": sheet_csv(COLUMNS, sheet),
        "validation_key.csv": _key(rows, sheet),
    }
    if parquet:
        files["rows.parquet"] = _parquet(rows)
    files["rows.jsonl"] = jsonl(rows)
    return Export(len(rows), len(controls), distinct.repeats, distinct.conflicts, tuple(_write(folder, files)))


def _controls(items: Sequence[Generated]) -> list[dict[str, Any]]:
    bases = {item.slot.base.item_id: item.slot.base for item in items}
    return [base_row(bases[name]) for name in sorted(bases)]


def _licence(runs: Sequence[GenerationRun]) -> str:
    found = {str((run.header.eval.metadata or {}).get("licence") or "not stated") for run in runs}
    return ", ".join(sorted(found))


def _write(folder: Path, files: Mapping[str, str | bytes]) -> list[Path]:
    if is_filled(folder / "validation.csv"):
        raise DataError(f"{folder / 'validation.csv'} is filled in; export to another folder, or move it away")
    write_folder(folder, files, OURS)
    return [folder / name for name in files]


def _key(rows: Sequence[Mapping[str, Any]], sheet: Sequence[Mapping[str, str]]) -> str:
    by_number = {str(row["id"]).rpartition("_")[2]: str(row["id"]) for row in rows}
    return sheet_csv(("item", "id"), [{"item": line["item"], "id": by_number[line["item"]]} for line in sheet])


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # their keys differ from row to row, which no column type holds
    nested = ("verifier_votes", "evidence")
    flat = [row | {name: json.dumps(row[name]) for name in nested if name in row} for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([{name: row.get(name) for name in names} for row in flat]), out)
    return out.getvalue()
