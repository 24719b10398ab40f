"""The sheet by which people validate a data set, and what a filled one says."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.generators.criteria import INTENSITY, meaning_of
from refusalbench_tasks.generators.rubric import RUBRIC_COLUMNS
from refusalbench_tasks.generators.verification import CRITERIA
from refusalbench_tasks.sheets import read_sheet_rows, yes_or_no
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass

PER_CELL = 10
_GIVEN = ("item", "class", "class_means", "intensity", "intensity_means", "expected", "lever", *RUBRIC_COLUMNS)
_TEXTS = ("original_question", "original_text", "answers", "question", "text")
CHECKED = {f"ok_{criterion}": criterion for criterion in CRITERIA}
"""The columns to fill in, and the criterion of each."""
FILLED = (*CHECKED, "comment")
"""What people write."""
COLUMNS = (*_GIVEN, *_TEXTS, *FILLED)


@dataclass(frozen=True)
class PassRate:
    """How many of n validated items people passed, with a 95 % Wilson interval."""

    group: str
    passed: int
    n: int

    @property
    def rate(self) -> float:
        """Return the share of items passed; NaN without items."""
        return self.passed / self.n if self.n else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval."""
        return wilson(self.passed, self.n)


def draw_sheet(rows: Sequence[Mapping[str, Any]], per_cell: int = PER_CELL, seed: int = 42) -> list[dict[str, str]]:
    """Return the rows of a sheet: up to `per_cell` of each class x intensity, shuffled, blind to writer and votes.

    What `rubric_row` says of an item is taken from its row, where it is there.
    """
    drawn = sheet_places([(row["perturbation_class"], row["intensity"]) for row in rows], per_cell, seed)
    return [sheet_row(rows[place]) for place in drawn]


def sheet_places(cells: Sequence[tuple[str, str]], per_cell: int = PER_CELL, seed: int = 42) -> list[int]:
    """Return the places of a sheet's rows among all rows, of which the class and the intensity are given."""
    rng = random.Random(seed)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, cell in enumerate(cells):
        places[cell].append(place)
    drawn = [one for cell in sorted(places) for one in rng.sample(places[cell], min(per_cell, len(places[cell])))]
    rng.shuffle(drawn)
    return drawn


def sheet_row(row: Mapping[str, Any]) -> dict[str, str]:
    """Return what a sheet shows of a released row."""
    perturbation, intensity = PerturbationClass(row["perturbation_class"]), Intensity(row["intensity"])
    made = {
        "item": item_of(row),
        "class": perturbation.value,
        "class_means": meaning_of(perturbation),
        "intensity": intensity.value,
        "intensity_means": INTENSITY[perturbation, intensity],
        "expected": str(row["expected_rag_behavior"]),
        "lever": str(row["lever_selected"]),
        "original_question": str(row["original_query"]),
        "original_text": _text(row.get("original_context"), row.get("original_grounding")),
        "answers": " | ".join(row.get("original_answers") or [str(row.get("reference_answer", ""))]),
        "question": str(row.get("perturbed_query") or row.get("query")),
        "text": _text(row.get("perturbed_context"), row.get("grounding")),
    }
    made |= {column: str(row.get(column, "")) for column in RUBRIC_COLUMNS}
    return {column: made.get(column, "") for column in COLUMNS}


def item_of(row: Mapping[str, Any]) -> str:
    """Return what a sheet calls a row: the digest of its id, with a letter first, or a spreadsheet sees a number."""
    return f"i{str(row['id']).rpartition('_')[2]}"


def _text(single: object, several: Sequence[str] | None) -> str:
    return str(single) if single else "\n\n".join(f"[{k}] {text}" for k, text in enumerate(several or (), 1))


@dataclass(frozen=True)
class Filled:
    """What a person said of one item: whether it meets each of the seven criteria."""

    item: str
    perturbation: str
    intensity: str
    verdicts: Mapping[str, bool]

    @property
    def passed(self) -> bool:
        """Whether all criteria are met."""
        return all(self.verdicts.values())


def filled_rows(path: Path) -> list[Filled]:
    """Return the rows of a sheet that are filled in; those without any entry are not validated.

    Raises DataError for a cell that is neither yes nor no, a half-filled row, and a sheet without a filled row.
    """
    found: list[Filled] = []
    for number, row in enumerate(read_sheet_rows(path), 1):
        verdicts = _verdicts(path.name, number, row)
        if verdicts:
            found.append(Filled(row.get("item") or "", row["class"], row["intensity"], verdicts))
    if not found:
        raise DataError(f"{path.name}: no row is filled in; write yes or no under each of {', '.join(CHECKED)}")
    return found


def read_sheet(path: Path) -> list[PassRate]:
    """Return the pass rates of a filled sheet: overall, by class, by intensity, by criterion.

    An item passes if all seven criteria are yes. Errors as in `filled_rows`.
    """
    groups: dict[str, list[bool]] = defaultdict(list)
    for row in filled_rows(path):
        for group in ("all", row.perturbation, row.intensity):
            groups[group].append(row.passed)
        for criterion, met in row.verdicts.items():
            groups[f"criterion {criterion}"].append(met)
    order = ("all", *CLASSES, *PERTURBED, *(f"criterion {criterion}" for criterion in CRITERIA))
    names = [name for name in order if name in groups] + sorted(groups.keys() - set(order))
    return [PassRate(name, sum(groups[name]), len(groups[name])) for name in names]


def rejected_items(paths: Sequence[Path]) -> set[str]:
    """Return the items that a filled sheet, any of several, does not pass."""
    return {row.item for path in paths for row in filled_rows(path) if not row.passed}


def _verdicts(source: str, number: int, row: Mapping[str, str]) -> dict[str, bool]:
    missing = [name for name in ("class", "intensity", *CHECKED) if row.get(name) is None]
    if missing:
        raise RowError(source, f"row {number}", missing[0], "missing column")
    cells = {name: row[name].strip().lower() for name in CHECKED}
    if not any(cells.values()):
        return {}
    verdicts: dict[str, bool] = {}
    for name, cell in cells.items():
        verdict = yes_or_no(cell)
        if verdict is None:
            raise RowError(source, f"row {number}", name, f"expected yes or no, found '{cell}'")
        verdicts[CHECKED[name]] = verdict
    return verdicts
