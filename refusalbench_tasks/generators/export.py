"""Generation logs to a data set in the released layout, with controls, card and validation sheet."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.datasets.spreadsheet import sheet_csv
from refusalbench_tasks.datasets.writing import write_jsonl, write_whole
from refusalbench_tasks.generators.balance import balanced, distinct_items
from refusalbench_tasks.generators.bases import base_row
from refusalbench_tasks.generators.card import data_card
from refusalbench_tasks.generators.generated import Generated, Run
from refusalbench_tasks.generators.rows import row_of
from refusalbench_tasks.generators.sheet import COLUMNS, PER_CELL, draw_sheet, is_filled


@dataclass(frozen=True)
class Export:
    """What was written where, and what was left out."""

    rows: int
    controls: int
    repeats: int
    conflicts: int
    files: tuple[Path, ...]


def export(
    runs: Sequence[Run],
    folder: Path,
    per_stratum: int | None = 22,
    per_generator: int | None = 400,
    seed: int = 42,
    per_cell: int = PER_CELL,
    prefix: str = "RB-FRESH",
    licence: str | None = None,
    parquet: bool = False,
) -> Export:
    """Write the accepted items of runs to a folder, each file whole or not at all, and return what was written.

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
    files = _write(folder, rows, controls, card, sheet, parquet)
    return Export(len(rows), len(controls), distinct.repeats, distinct.conflicts, tuple(files))


def _controls(items: Sequence[Generated]) -> list[dict[str, Any]]:
    bases = {item.slot.base.item_id: item.slot.base for item in items}
    return [base_row(bases[name]) for name in sorted(bases)]


def _licence(runs: Sequence[Run]) -> str:
    found = {str((run.header.eval.metadata or {}).get("licence") or "not stated") for run in runs}
    return ", ".join(sorted(found))


def _write(
    folder: Path,
    rows: Sequence[dict[str, Any]],
    controls: Sequence[dict[str, Any]],
    card: str,
    sheet: Sequence[Mapping[str, str]],
    parquet: bool,
) -> list[Path]:
    if is_filled(folder / "validation.csv"):
        raise DataError(f"{folder / 'validation.csv'} is filled in; export to another folder, or move it away")
    (folder / "rows.parquet").unlink(missing_ok=True)
    names = ("controls.jsonl", "README.md", "validation.csv", "validation_key.csv", "rows.jsonl")
    files = [folder / name for name in names]
    write_jsonl(files[0], controls)
    write_whole(files[1], card)
    write_whole(files[2], sheet_csv(COLUMNS, sheet))
    by_number = {str(row["id"]).rpartition("_")[2]: row for row in rows}
    key = io.StringIO()
    csv.writer(key, lineterminator="\n").writerows(
        [("item", "id"), *((line["item"], by_number[line["item"]]["id"]) for line in sheet)]
    )
    write_whole(files[3], key.getvalue())
    if parquet:
        files.append(folder / "rows.parquet")
        _write_parquet(files[-1], rows)
    write_jsonl(files[4], rows)
    return files


def _write_parquet(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    votes = [row | {"verifier_votes": json.dumps(row["verifier_votes"])} for row in rows]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(votes), out)
    write_whole(path, out.getvalue())
