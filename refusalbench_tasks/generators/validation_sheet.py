"""The sheet by which people validate a data set, what a filled one says, and what it
drops.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.generators.criteria import (
    INTENSITY,
    constraint_of,
    meaning_of,
    target_of,
)
from refusalbench_tasks.generators.kit.answers import word_key
from refusalbench_tasks.generators.kit.card import agreement_row, table
from refusalbench_tasks.generators.kit.export import PeopleSheet
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.verification import CRITERIA, ItemVerdict
from refusalbench_tasks.sheets import read_sheet_rows, yes_or_no
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.tables import TableRow
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass

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
Key = tuple[str, str]


def draw_sheet(
    rows: Sequence[Mapping[str, Any]],
    levers: Iterable[Lever],
    per_cell: int = 10,
    seed: int = 42,
) -> PeopleSheet:
    """Return a sheet of released rows: up to `per_cell` of each class x intensity,
    shuffled, writer and votes hidden.

    `levers` are those whose instructions stand in it.
    """
    rng = random.Random(seed)
    known = {lever.name.casefold(): lever for lever in levers}
    cells: dict[Key, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        cells[row["perturbation_class"], row["intensity"]].append(row)
    drawn = [
        one
        for cell in sorted(cells)
        for one in rng.sample(cells[cell], min(per_cell, len(cells[cell])))
    ]
    rng.shuffle(drawn)
    shown = [
        _sheet_row(row, known.get(str(row["lever_selected"]).casefold()))
        for row in drawn
    ]
    key = [{"item": _item_of(row), "id": str(row["id"])} for row in drawn]
    return PeopleSheet(COLUMNS, FILLED, shown, key, _guide())


def _sheet_row(row: Mapping[str, Any], lever: Lever | None) -> dict[str, str]:
    """Return what a sheet shows of a released row."""
    perturbation = PerturbationClass(row["perturbation_class"])
    intensity = Intensity(row["intensity"])
    passages = len(row.get("original_grounding") or [row.get("original_context")])
    return {
        "item": _item_of(row),
        "class": perturbation.value,
        "class_means": meaning_of(perturbation),
        "intensity": intensity.value,
        "intensity_means": INTENSITY[perturbation, intensity],
        "expected": str(row["expected_rag_behavior"]),
        "lever": str(row["lever_selected"]),
        "lever_instruction": lever.instruction if lever else "",
        "target": (
            target_of(lever, passages, row.get("signal_indices") or ()) if lever else ""
        ),
        "answer_constraint": constraint_of(perturbation, intensity),
        "original_question": str(row["original_query"]),
        "original_text": _text(
            row.get("original_context"), row.get("original_grounding")
        ),
        "answers": " | ".join(
            row.get("original_answers") or [str(row.get("reference_answer", ""))]
        ),
        **_shown(row),
    }


def _shown(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the item itself, as a sheet shows it."""
    question = str(row.get("perturbed_query") or row.get("query"))
    return {
        "question": question,
        "text": _text(row.get("perturbed_context"), row.get("grounding")),
    }


def row_key(row: Mapping[str, Any]) -> str:
    """Return by which words a row is dropped, whoever wrote it: those of its question
    and text in a sheet.
    """
    return word_key(*_shown(row).values())


def _item_of(row: Mapping[str, Any]) -> str:
    """Return what a sheet calls a row: the digest of its id, with a letter first, or a
    spreadsheet sees a number.
    """
    return f"i{str(row['id']).rpartition('_')[2]}"


def _text(single: object, several: Sequence[str] | None) -> str:
    return (
        str(single)
        if single
        else "\n\n".join(f"[{k}] {text}" for k, text in enumerate(several or (), 1))
    )


def _guide() -> str:
    """Return the instructions for those who fill in a sheet, in Markdown."""
    criteria = [
        f"- `ok_{name}`: {ItemVerdict.model_fields[name].description}"
        for name in CRITERIA
    ]
    return "\n".join(
        (
            "# How to fill in validation.csv",
            "",
            (
                "Each row is one item. Read the original first, then the item, then the"
                " plan beside it."
            ),
            (
                "Write yes or no under each `ok_` column; a row is filled in wholly or"
                " not at all."
            ),
            (
                "In doubt write no, and say why under `comment`. An item passes if all"
                " are yes."
            ),
            "",
            *criteria,
            "",
            (
                "Two people fill in a copy each, without talking, and do not look into"
                " `validation_key.csv`."
            ),
            (
                "`refusalbench export LOGS -o OTHER --drop A.csv` leaves out what"
                " failed, whoever wrote it."
            ),
            (
                "`refusalbench export LOGS -o OTHER --sheet A.csv --sheet B.csv` puts"
                " what people found into the card."
            ),
            "",
        )
    )


@dataclass(frozen=True)
class FilledRow:
    """What a person said of one item: whether it meets each of the seven criteria;
    `key` are the item's words.
    """

    item: str
    key: str
    perturbation: str
    intensity: str
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
    found: dict[str, FilledRow] = {}
    for number, row in enumerate(read_sheet_rows(path), 1):
        verdicts = _verdicts(path.name, number, row)
        if verdicts:
            item = row["item"]
            if item in found:
                raise DataError(f"{path.name}: the item '{item}' is there twice")
            found[item] = FilledRow(
                item,
                word_key(row["question"], row["text"]),
                row["class"],
                row["intensity"],
                verdicts,
            )
    if not found:
        raise DataError(
            f"{path.name}: no row is filled in; write yes or no under each of"
            f" {', '.join(CHECKED)}"
        )
    return list(found.values())


def _verdicts(source: str, number: int, row: Mapping[str, str]) -> dict[str, bool]:
    needed = ("item", "class", "intensity", "question", "text", *CHECKED)
    missing = next((name for name in needed if row.get(name) is None), None)
    if missing:
        raise RowError(source, f"row {number}", missing, "missing column")
    cells = {name: row[name].strip().lower() for name in CHECKED}
    if not any(cells.values()):
        return {}
    verdicts: dict[str, bool] = {}
    for name, cell in cells.items():
        verdict = yes_or_no(cell)
        if verdict is None:
            raise RowError(
                source, f"row {number}", name, f"expected yes or no, found '{cell}'"
            )
        verdicts[CHECKED[name]] = verdict
    return verdicts


def failed_keys(paths: Sequence[Path]) -> set[str]:
    """Return the words of the items that a filled sheet, any of
    several, does not pass.
    """
    return {row.key for path in paths for row in filled_rows(path) if not row.passed}


def pass_rates(rows: Sequence[FilledRow]) -> list[TableRow]:
    """Return how many items of n people passed, with 95 % Wilson intervals: in all, by
    class, intensity, criterion.
    """
    groups: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        for group in ("all", row.perturbation, row.intensity):
            groups[group].append(row.passed)
        for criterion, met in row.verdicts.items():
            groups[f"criterion {criterion}"].append(met)
    order = (
        "all",
        *CLASSES,
        *PERTURBED,
        *(f"criterion {criterion}" for criterion in CRITERIA),
    )
    names = [name for name in order if name in groups] + sorted(
        groups.keys() - set(order)
    )
    rates = []
    for name in names:
        passed = sum(groups[name])
        n = len(groups[name])
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
) -> list[TableRow]:
    """Return how two people agree on whole items and on each criterion, over the items
    in both sheets.

    Kappa is NaN where it is undefined. Raises DataError if the sheets have no item in
    common.
    """
    other = {row.item: row for row in second}
    both = [(row, other[row.item]) for row in first if row.item in other]
    if not both:
        raise DataError(
            "these sheets have no filled item in common; use copies of one sheet"
        )
    pairs = {"all criteria": [(a.passed, b.passed) for a, b in both]}
    for name in CRITERIA:
        pairs[f"criterion {name}"] = [
            (a.verdicts[name], b.verdicts[name]) for a, b in both
        ]
    return [{"about": about, **agreement_row(found)} for about, found in pairs.items()]


def people_found(paths: Sequence[Path]) -> str:
    """Return what people found in filled sheets, in Markdown: pass rates, and how the
    first two agree.
    """
    sheets = [filled_rows(path) for path in paths]
    parts = []
    for number, rows in enumerate(sheets, 1):
        parts += [
            f"Annotator {number}: items that pass all criteria, by group.",
            table(pass_rates(rows)),
        ]
    if len(sheets) > 1:
        parts += [
            "Agreement of the first two:",
            table(annotator_agreement(*sheets[:2])),
        ]
    return "\n\n".join(parts)
