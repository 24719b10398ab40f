"""Generation logs to a data set in the released layout, with controls, card and a sheet
for people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.balance import balanced
from refusalbench_tasks.generators.card_sections import NAME, card_sections
from refusalbench_tasks.generators.distinct import DistinctItems, distinct_items
from refusalbench_tasks.generators.generation_logs import Generated, GenerationRun
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.kit.card import DataCard
from refusalbench_tasks.generators.kit.export import write_set
from refusalbench_tasks.generators.levers import Lever, bundled_levers
from refusalbench_tasks.generators.released_rows import released_row
from refusalbench_tasks.generators.validation_sheet import (
    draw_sheet,
    failed_keys,
    people_found,
    row_key,
)
from refusalbench_tasks.safe_writing import Content, jsonl

OURS = ("controls.jsonl", "README.md", "rows.jsonl")
"""What an export writes: a later one replaces these, and leaves whatever else stands in
the folder.
"""


@dataclass(frozen=True)
class ExportSettings:
    """What is drawn (None draws everything), how it is named, and what people said."""

    per_stratum: int | None = 22
    per_generator: int | None = 400
    seed: int = 42
    per_cell: int = 10
    licence: str | None = None
    language: tuple[str, ...] = ("en",)
    drop: tuple[Path, ...] = ()
    """Filled sheets; the items that one of them fails are left out, whoever wrote them.
    """
    sheets: tuple[Path, ...] = ()
    """Filled sheets whose results stand in the card."""


@dataclass(frozen=True)
class Exported:
    """What was written where, and what was left out."""

    rows: int
    controls: int
    distinct: DistinctItems
    dropped: int
    files: tuple[Path, ...]


def export_rows(
    runs: Sequence[GenerationRun],
    folder: Path,
    settings: ExportSettings,
) -> Exported:
    """Write the accepted items of runs to a folder, all files or none, and return what
    was written.

    `rows.jsonl` in the released layout, `controls.jsonl` with the originals,
    `README.md` as data card; a sheet for people and its key go to a folder beside it.
    Raises DataError if no item was accepted, and if one-passage and ten-passage runs
    are mixed.
    """
    accepted = _accepted(runs)
    failed = failed_keys(settings.drop)
    left = [item for item in accepted if row_key(released_row(item)) not in failed]
    dropped = len(accepted) - len(left)
    distinct = distinct_items(left)
    chosen = balanced(
        distinct.items,
        settings.per_stratum,
        settings.per_generator,
        settings.seed,
    )
    rows = list(map(released_row, chosen))
    bases = {item.slot.base.item_id: item.slot.base for item in chosen}
    controls = [base_row(bases[name]) for name in sorted(bases)]
    files: dict[str, Content] = {
        "controls.jsonl": jsonl(controls),
        "README.md": _card(
            runs,
            distinct,
            chosen,
            settings,
            dropped,
        ),
        "rows.jsonl": jsonl(rows),
    }
    sheet = draw_sheet(
        rows,
        _levers(runs),
        settings.per_cell,
        settings.seed,
    )
    written = write_set(
        folder,
        files,
        OURS,
        sheet,
    )
    return Exported(
        len(chosen),
        len(controls),
        distinct,
        dropped,
        written,
    )


def _accepted(runs: Sequence[GenerationRun]) -> list[Generated]:
    accepted = [item for run in runs for item in run.items if item.accepted]
    if not accepted:
        raise DataError("no accepted item in these logs, so there is nothing to export")
    if len({item.slot.multi for item in accepted}) > 1:
        raise DataError(
            "these logs mix one-passage and ten-passage items; export each kind into"
            " its own folder"
        )
    return accepted


def _levers(runs: Sequence[GenerationRun]) -> list[Lever]:
    """Return the bundled levers, and those that the runs noted of lever files."""
    levers = list(bundled_levers())
    for run in runs:
        noted = (run.header.eval.metadata or {}).get("own_levers") or ()
        levers += map(Lever.model_validate, noted)
    return levers


def _card(
    runs: Sequence[GenerationRun],
    distinct: DistinctItems,
    chosen: Sequence[Generated],
    settings: ExportSettings,
    dropped: int,
) -> str:
    stated = {
        str((run.header.eval.metadata or {}).get("licence") or "not stated")
        for run in runs
    }
    about = (
        f"{len(chosen)} perturbed rows and their unperturbed originals, made with"
        " `refusalbench_tasks/perturb` and exported with `refusalbench export`."
    )
    card = DataCard(
        name=NAME,
        about=about,
        licence=settings.licence or ", ".join(sorted(stated)),
        rows=len(chosen),
        files={
            "rows": "rows.jsonl",
            "controls": "controls.jsonl",
        },
        runs=[run.header for run in runs],
        settings={
            "per stratum and generator": settings.per_stratum,
            "per generator": settings.per_generator,
            "seed of the draw": settings.seed,
            "dropped by people": dropped,
        },
        sections=card_sections(runs, distinct, chosen),
        people=people_found(settings.sheets) if settings.sheets else "",
        language=settings.language,
        limits="Labels follow from class and intensity.",
    )
    return card.markdown()
