"""The sheet by which people validate a data set, what a filled one says, and what it
drops.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.draw import grouped
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.prompting import numbered
from refusalbench_tasks.sheets import read_sheet_rows, yes_or_no
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass

from .criteria import (
    constraint_of,
    intensity_meaning,
    meaning_of,
    target_of,
)
from .kit.answers import word_key
from .kit.card import CardRows, agreement_row, markdown_table
from .kit.export import PeopleSheet
from .levers import Lever
from .verification import CRITERIA, ItemVerdict

Row = Mapping[str, Any]

CHECKED = {f"ok_{criterion}": criterion for criterion in CRITERIA}
"""The columns to fill in, and the criterion of each."""
FILLED = (*CHECKED, "comment")
"""What people write."""
COLUMNS = (
    "item",
    "class",
    "class_means",
    "intensity",
    "intensity_means",
    "expected",
    "lever",
    "lever_instruction",
    "target",
    "answer_constraint",
    "original_question",
    "original_text",
    "answers",
    "question",
    "text",
    *FILLED,
)
GUIDE = """# How to fill in validation.csv

Each row is one item. Read the original first, then the item, then the plan beside it.
Write yes or no under each `ok_` column; a row is filled in wholly or not at all.
In doubt write no, and say why under `comment`. An item passes if all are yes.

CRITERIA

Two people fill in a copy each, without talking, and do not look into
`validation_key.csv`.
`refusalbench export LOGS -o OTHER --drop A.csv` leaves out what failed, whoever wrote
it.
`refusalbench export LOGS -o OTHER --sheet A.csv --sheet B.csv` puts what people found
into the card.
"""


def draw_sheet(
    rows: Sequence[Row],
    levers: Iterable[Lever],
    per_cell: int = 10,
    seed: int = 42,
) -> PeopleSheet:
    """Return a sheet of released rows: up to `per_cell` of each class x intensity,
    shuffled, writer and votes hidden.

    `levers` are those whose instructions stand in it.
    """
    rng = random.Random(seed)
    by_name = {lever.name.casefold(): lever for lever in levers}
    cells = grouped(rows, lambda row: (row["perturbation_class"], row["intensity"]))
    drawn = []
    for cell in sorted(cells):
        drawn += rng.sample(cells[cell], min(per_cell, len(cells[cell])))
    rng.shuffle(drawn)
    shown = []
    for row in drawn:
        lever = by_name.get(str(row["lever_selected"]).casefold())
        shown.append(_sheet_row(row, lever))
    criteria = [
        f"- `ok_{name}`: {ItemVerdict.model_fields[name].description}"
        for name in CRITERIA
    ]
    key = [{"item": _item_of(row), "id": str(row["id"])} for row in drawn]
    return PeopleSheet(
        COLUMNS,
        FILLED,
        shown,
        key,
        GUIDE.replace("CRITERIA", "\n".join(criteria)),
    )


def _sheet_row(row: Row, lever: Lever | None) -> dict[str, str]:
    """Return what a sheet shows of a released row."""
    perturbation = PerturbationClass(row["perturbation_class"])
    intensity = Intensity(row["intensity"])
    target = ""
    if lever:
        passages = len(row.get("original_grounding") or ("",))
        target = target_of(
            lever,
            passages,
            row.get("signal_indices") or (),
        )
    answers = row.get("original_answers") or [str(row.get("reference_answer", ""))]
    return {
        "item": _item_of(row),
        "class": perturbation.value,
        "class_means": meaning_of(perturbation),
        "intensity": intensity.value,
        "intensity_means": intensity_meaning(perturbation, intensity),
        "expected": str(row["expected_rag_behavior"]),
        "lever": str(row["lever_selected"]),
        "lever_instruction": lever.instruction if lever else "",
        "target": target,
        "answer_constraint": constraint_of(perturbation, intensity),
        "original_question": str(row["original_query"]),
        "original_text": _text(row, "original_context", "original_grounding"),
        "answers": " | ".join(answers),
        **_shown(row),
    }


def _shown(row: Row) -> dict[str, str]:
    """Return the item itself, as a sheet shows it."""
    return {
        "question": str(row.get("perturbed_query") or row.get("query")),
        "text": _text(row, "perturbed_context", "grounding"),
    }


def row_key(row: Row) -> str:
    """Return by which words a row is dropped, whoever wrote it: those of its question
    and text in a sheet.
    """
    return word_key(*_shown(row).values())


def _item_of(row: Row) -> str:
    """Return what a sheet calls a row: the digest of its id, with a letter first, or a
    spreadsheet sees a number.
    """
    return f"i{str(row['id']).rpartition('_')[2]}"


def _text(
    row: Row,
    single: str,
    several: str,
) -> str:
    """Return the one passage of a row, or its several ones, numbered."""
    return str(row.get(single) or numbered(row.get(several) or ()))


@dataclass(frozen=True)
class FilledRow:
    """What a person said of one item: whether it meets each of the seven criteria;
    `key` are the item's words.
    """

    item: str
    key: str
    groups: tuple[str, str]
    """Class and intensity."""
    verdicts: Mapping[str, bool]

    @property
    def passed(self) -> bool:
        """Whether all criteria are met."""
        return all(self.verdicts.values())


def filled_rows(path: Path) -> list[FilledRow]:
    """Return the rows of a sheet that are filled in; those without any entry are not
    validated.

    Raises DataError for a cell that is neither yes nor no, a half-filled row, an item
    that stands twice, and a sheet without a filled row.
    """
    filled = {}
    for number, row in enumerate(read_sheet_rows(path), 1):
        verdicts = _verdicts(path.name, number, row)
        if not verdicts:
            continue
        item = row["item"]
        if item in filled:
            raise DataError(f"{path.name}: the item '{item}' is there twice")
        key = word_key(row["question"], row["text"])
        groups = (row["class"], row["intensity"])
        filled[item] = FilledRow(
            item,
            key,
            groups,
            verdicts,
        )
    if not filled:
        raise DataError(
            f"{path.name}: no row is filled in; write yes or no under each of"
            f" {', '.join(CHECKED)}"
        )
    return list(filled.values())


def _verdicts(
    source: str,
    number: int,
    row: Mapping[str, str],
) -> dict[str, bool]:
    for name in ("item", "class", "intensity", "question", "text", *CHECKED):
        if row.get(name) is None:
            raise RowError(
                source,
                f"row {number}",
                name,
                "missing column",
            )
    cells = {name: row[name].strip().lower() for name in CHECKED}
    verdicts = {}
    for name, cell in cells.items() if any(cells.values()) else ():
        verdict = yes_or_no(cell)
        if verdict is None:
            problem = f"expected yes or no, found '{cell}'"
            raise RowError(
                source,
                f"row {number}",
                name,
                problem,
            )
        verdicts[CHECKED[name]] = verdict
    return verdicts


def failed_keys(paths: Sequence[Path]) -> set[str]:
    """Return the words of the items that a filled sheet, any of
    several, does not pass.
    """
    return {row.key for path in paths for row in filled_rows(path) if not row.passed}


def people_pass_rates(rows: Sequence[FilledRow]) -> CardRows:
    """Return how many items of n people passed, with 95 % Wilson intervals: in all, by
    class, intensity, criterion.
    """
    names = ["all", *CLASSES, *PERTURBED]
    names += (f"criterion {criterion}" for criterion in CRITERIA)
    groups: dict[str, list[bool]] = {str(name): [] for name in names}
    for row in rows:
        for group in ("all", *row.groups):
            groups.setdefault(group, []).append(row.passed)
        for criterion, met in row.verdicts.items():
            groups[f"criterion {criterion}"].append(met)
    rates = []
    for name, met_all in groups.items():
        passed = sum(met_all)
        n = len(met_all)
        if n:
            low, high = wilson(passed, n)
            rates.append(
                {
                    "group": name,
                    "passed": passed,
                    "n": n,
                    "rate": passed / n,
                    "95 % low": low,
                    "95 % high": high,
                }
            )
    return rates


def annotator_agreement(
    first: Sequence[FilledRow], second: Sequence[FilledRow]
) -> CardRows:
    """Return how two people agree on whole items and on each criterion, over the items
    in both sheets.

    Kappa is NaN where it is undefined. Raises DataError if the sheets have no item in
    common.
    """
    by_item = {row.item: row for row in second}
    both = [(row, by_item[row.item]) for row in first if row.item in by_item]
    if not both:
        raise DataError(
            "these sheets have no filled item in common; use copies of one sheet"
        )
    whole = agreement_row([(row.passed, other.passed) for row, other in both])
    rows = [{"about": "all criteria", **whole}]
    for name in CRITERIA:
        pairs = [(row.verdicts[name], other.verdicts[name]) for row, other in both]
        rows.append({"about": f"criterion {name}", **agreement_row(pairs)})
    return rows


def people_found(paths: Sequence[Path]) -> str:
    """Return what people found in filled sheets, in Markdown: pass rates, and how the
    first two agree.
    """
    sheets = list(map(filled_rows, paths))
    parts = []
    for number, rows in enumerate(sheets, 1):
        title = f"Annotator {number}: items that pass all criteria, by group."
        parts += [title, markdown_table(people_pass_rates(rows))]
    if len(sheets) > 1:
        agreement = markdown_table(annotator_agreement(*sheets[:2]))
        parts += ["Agreement of the first two:", agreement]
    return "\n\n".join(parts)
