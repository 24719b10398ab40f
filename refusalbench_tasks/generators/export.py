"""Generation logs to a data set in the released layout, with controls, card and validation sheet."""

import io
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.folders import write_folder
from refusalbench_tasks.files.spreadsheet import sheet_csv
from refusalbench_tasks.files.writing import jsonl
from refusalbench_tasks.generators.balance import Distinct, balanced, distinct_items
from refusalbench_tasks.generators.bases import base_row
from refusalbench_tasks.generators.card import NAME, data_card
from refusalbench_tasks.generators.croissant import croissant
from refusalbench_tasks.generators.generation_logs import Generated, GenerationRun
from refusalbench_tasks.generators.levers import Lever, bundled_levers
from refusalbench_tasks.generators.released_rows import row_of
from refusalbench_tasks.generators.rubric import guide, rubric_row
from refusalbench_tasks.generators.validation_sheet import COLUMNS, PER_CELL, draw_sheet, is_filled, item_of

OURS = (
    "controls.jsonl",
    "README.md",
    "croissant.json",
    "validation.csv",
    "validation_key.csv",
    "validation_guide.md",
    "rows.parquet",
    "rows.jsonl",
)
"""What an export writes: a later one replaces these, and leaves whatever else stands in the folder."""

ABOUT = "Questions with passages that a careful system answers or refuses for a known reason, and their originals."


@dataclass(frozen=True)
class Export:
    """What was written where, and what was left out."""

    rows: int
    controls: int
    repeats: int
    conflicts: int
    files: tuple[Path, ...]
    unchanged: int = 0
    near_duplicates: int = 0
    dropped: int = 0


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
    paper: bool = False,
    dropped: Collection[str] = (),
) -> Export:
    """Write the accepted items of runs to a folder, all files or none, and return what was written.

    `rows.jsonl` (and `rows.parquet`) in the released layout, `controls.jsonl` with the originals, `README.md` as data
    card, `validation.csv` for people and `validation_key.csv` with the row of each of its items. `dropped` are items
    that people rejected, by their names in a sheet. Raises DataError if no item was accepted, and if single-passage and
    ten-passage runs are mixed.
    """
    accepted = _accepted(runs)
    left = [item for item in accepted if item_of(row_of(item, prefix)) not in dropped]
    distinct = distinct_items(left)
    chosen = balanced(distinct.items, per_stratum, per_generator, seed, paper)
    rows = [row_of(item, prefix) for item in chosen]
    settings = {
        "per stratum and generator": per_stratum,
        "per generator": per_generator,
        "draw": "by chance alone" if paper else "the levers and bases drawn least come first",
        "seed of the draw": seed,
        "dropped by people": len(accepted) - len(left),
    }
    controls = _controls(chosen)
    files = _described(runs, distinct, rows, controls, settings, licence or _licence(runs))
    files |= _sheets(runs, chosen, rows, per_cell, seed)
    if parquet:
        files["rows.parquet"] = _parquet(rows)
    files["rows.jsonl"] = jsonl(rows)
    written = tuple(_write(folder, files))
    counts = distinct.repeats, distinct.conflicts, written, distinct.unchanged, distinct.near_items
    return Export(len(rows), len(controls), *counts, len(accepted) - len(left))


def _accepted(runs: Sequence[GenerationRun]) -> list[Generated]:
    accepted = [item for run in runs for item in run.items if item.accepted]
    if not accepted:
        raise DataError("no accepted item in these logs, so there is nothing to export")
    if len({item.slot.multi for item in accepted}) > 1:
        raise DataError("these logs mix one-passage and ten-passage items; export each kind into its own folder")
    return accepted


def _described(
    runs: Sequence[GenerationRun],
    distinct: Distinct,
    rows: Sequence[dict[str, Any]],
    controls: Sequence[dict[str, Any]],
    settings: Mapping[str, Any],
    licence: str,
) -> dict[str, str | bytes]:
    published = max(run.header.eval.created for run in runs)[:10]
    data = {"rows.jsonl": (jsonl(rows), rows), "controls.jsonl": (jsonl(controls), controls)}
    return {
        "controls.jsonl": data["controls.jsonl"][0],
        "README.md": data_card(runs, distinct, rows, settings, licence),
        "croissant.json": croissant(NAME, ABOUT, licence, published, data),
    }


def _sheets(
    runs: Sequence[GenerationRun],
    chosen: Sequence[Generated],
    rows: Sequence[dict[str, Any]],
    per_cell: int,
    seed: int,
) -> dict[str, str | bytes]:
    levers = _levers(runs)
    told = [row | rubric_row(item, levers) for row, item in zip(rows, chosen, strict=True)]
    sheet = draw_sheet(told, per_cell, seed)
    return {
        "validation.csv": sheet_csv(COLUMNS, sheet),
        "validation_key.csv": _key(rows, sheet),
        "validation_guide.md": guide(),
    }


def _controls(items: Sequence[Generated]) -> list[dict[str, Any]]:
    bases = {item.slot.base.item_id: item.slot.base for item in items}
    return [base_row(bases[name]) for name in sorted(bases)]


def _levers(runs: Sequence[GenerationRun]) -> list[Lever]:
    """Return the bundled levers, and those that the runs noted of lever files."""
    noted = [one for run in runs for one in (run.header.eval.metadata or {}).get("own_levers") or ()]
    return [*bundled_levers(), *(Lever.model_validate(one) for one in noted)]


def _licence(runs: Sequence[GenerationRun]) -> str:
    found = {str((run.header.eval.metadata or {}).get("licence") or "not stated") for run in runs}
    return ", ".join(sorted(found))


def _write(folder: Path, files: Mapping[str, str | bytes]) -> list[Path]:
    if is_filled(folder / "validation.csv"):
        raise DataError(f"{folder / 'validation.csv'} is filled in; export to another folder, or move it away")
    write_folder(folder, files, OURS)
    return [folder / name for name in files]


def _key(rows: Sequence[Mapping[str, Any]], sheet: Sequence[Mapping[str, str]]) -> str:
    ids = {item_of(row): str(row["id"]) for row in rows}
    return sheet_csv(("item", "id"), [{"item": line["item"], "id": ids[line["item"]]} for line in sheet])


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
