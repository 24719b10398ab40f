"""Generation logs to a data set in the released layout, with controls, card and validation sheet."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.balance import balanced, distinct_items
from refusalbench_tasks.generators.brief import Brief
from refusalbench_tasks.generators.brief_runs import BriefRun
from refusalbench_tasks.generators.card import NAME, data_card
from refusalbench_tasks.generators.kept_runs import KeptRuns
from refusalbench_tasks.generators.kit.croissant import croissant
from refusalbench_tasks.generators.levers import Lever, bundled_levers
from refusalbench_tasks.generators.line_files import LineFile, write_lines, write_parquet
from refusalbench_tasks.generators.rubric import guide, rubric_row
from refusalbench_tasks.generators.validation_sheet import (
    COLUMNS,
    FILLED,
    PER_CELL,
    item_of,
    sheet_places,
    sheet_row,
)
from refusalbench_tasks.safe_writing import Content, write_folder
from refusalbench_tasks.sheets import keep_filled, sheet_csv

NESTED = ("verifier_votes", "evidence")
"""Fields whose keys differ from row to row, which no column type holds."""
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
    found: KeptRuns,
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
    runs, texts = found.runs, found.texts
    accepted = _accepted(found)
    left = _not_dropped(found, accepted, dropped)
    places = texts.places_of(left)
    distinct = distinct_items(left, texts.places["words"][places], texts.grams.take(places))
    chosen = balanced(distinct.items, per_stratum, per_generator, seed, paper)
    settings = {
        "per stratum and generator": per_stratum,
        "per generator": per_generator,
        "draw": "by chance alone" if paper else "the levers and bases drawn least come first",
        "seed of the draw": seed,
        "dropped by people": len(accepted) - len(left),
    }
    rows = write_lines(texts.folder / "rows.jsonl", texts.rows(chosen, prefix))
    controls = write_lines(texts.folder / "controls.jsonl", texts.bases(chosen))
    stated = licence or _licence(runs)
    files: dict[str, Content] = {
        "controls.jsonl": controls.path,
        "README.md": data_card(runs, distinct, chosen, settings, stated),
        "croissant.json": _croissant(runs, rows, controls, stated),
    }
    files |= _sheets(found, chosen, prefix, per_cell, seed)
    if parquet:
        files["rows.parquet"] = texts.folder / "rows.parquet"
        write_parquet(texts.folder / "rows.parquet", rows, NESTED)
    files["rows.jsonl"] = rows.path
    written = tuple(_write(folder, files))
    counts = distinct.repeats, distinct.conflicts, written, distinct.unchanged, distinct.near_items
    return Export(len(chosen), controls.number, *counts, len(accepted) - len(left))


def _accepted(found: KeptRuns) -> list[Brief]:
    accepted = [item for run in found.runs for item in run.items if item.accepted]
    if not accepted:
        raise DataError("no accepted item in these logs, so there is nothing to export")
    if len(set(found.texts.places["multi"].tolist())) > 1:
        raise DataError("these logs mix one-passage and ten-passage items; export each kind into its own folder")
    return accepted


def _not_dropped(found: KeptRuns, accepted: list[Brief], dropped: Collection[str]) -> list[Brief]:
    if not dropped:
        return accepted
    names = found.texts.names_of(accepted)
    return [item for item, name in zip(accepted, names, strict=True) if f"i{name}" not in dropped]


def _croissant(runs: Sequence[BriefRun], rows: LineFile, controls: LineFile, licence: str) -> str:
    published = max(run.header.eval.created for run in runs)[:10]
    files = {"rows.jsonl": (rows.sha256, rows.examples), "controls.jsonl": (controls.sha256, controls.examples)}
    return croissant(NAME, ABOUT, licence, published, files)


def _sheets(found: KeptRuns, chosen: Sequence[Brief], prefix: str, per_cell: int, seed: int) -> dict[str, Content]:
    levers = _levers(found.runs)
    places = sheet_places([(item.perturbation.value, item.intensity.value) for item in chosen], per_cell, seed)
    rows = [json.loads(line) for line in found.texts.rows([chosen[place] for place in places], prefix)]
    return {
        "validation.csv": sheet_csv(COLUMNS, [sheet_row(row | rubric_row(row, levers)) for row in rows]),
        "validation_key.csv": sheet_csv(("item", "id"), [{"item": item_of(row), "id": str(row["id"])} for row in rows]),
        "validation_guide.md": guide(),
    }


def _levers(runs: Sequence[BriefRun]) -> list[Lever]:
    """Return the bundled levers, and those that the runs noted of lever files."""
    noted = [one for run in runs for one in (run.header.eval.metadata or {}).get("own_levers") or ()]
    return [*bundled_levers(), *(Lever.model_validate(one) for one in noted)]


def _licence(runs: Sequence[BriefRun]) -> str:
    found = {str((run.header.eval.metadata or {}).get("licence") or "not stated") for run in runs}
    return ", ".join(sorted(found))


def _write(folder: Path, files: Mapping[str, Content]) -> list[Path]:
    keep_filled(folder / "validation.csv", FILLED)
    write_folder(folder, files, OURS)
    return [folder / name for name in files]
