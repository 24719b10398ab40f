"""Accepted items of the tests, and sheets of them that are filled in."""

from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.released_rows import released_row
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.generators.validation_sheet import (
    CHECKED,
    COLUMNS,
    draw_sheet,
)
from refusalbench_tasks.sheets import sheet_csv
from refusalbench_tasks.taxonomy import (
    CLASSES,
    PERTURBED,
    Intensity,
    PerturbationClass,
)

BASES = curate("nq_sample").items


BASE = BASES[0]


LOW = PERTURBED[0]


HIGH = PERTURBED[2]


YES = dict.fromkeys(CHECKED, "yes")


NO = YES | {"ok_quality": "No"}


def item(
    text: str,
    writer: str = "a/b",
    cell: tuple[PerturbationClass, Intensity] = (CLASSES[0], LOW),
    lever: str = "x",
    base: RefusalItem = BASE,
) -> Generated:
    slot = ItemSlot(base=base, perturbation=cell[0], intensity=cell[1], lever=lever)
    return Generated(
        writer,
        slot,
        Candidate(query="q", passages=(text,), lever=lever, reasoning="r"),
        (),
        True,
    )


def rows(n: int = 40) -> list[dict[str, Any]]:
    return [
        released_row(item(f"text {k}", cell=(CLASSES[k % 6], PERTURBED[k % 3])))
        for k in range(n)
    ]


def filled(path: Path, answers: list[dict[str, str]]) -> Path:
    sheet = draw_sheet(rows(), bundled_levers(), per_cell=2)
    shown = [dict(row) for row in sheet.rows]
    for row, answer in zip(shown, answers, strict=False):
        row.update(answer)
    path.write_text(sheet_csv(COLUMNS, shown))
    return path
