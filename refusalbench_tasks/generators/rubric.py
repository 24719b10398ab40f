"""What a person needs beside an item to judge it: the lever, what may change, and what each criterion asks."""

from collections.abc import Iterable, Mapping
from typing import Any

from refusalbench_tasks.generators.criteria import constraint_of, target_of
from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.generators.verification import CRITERIA, ItemVerdict
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

RUBRIC_COLUMNS = ("lever_instruction", "target", "answer_constraint")
"""The columns of a sheet that say what was to be done."""
RUBRIC = {
    "lever_fidelity": "The change is the one that `lever_instruction` describes, and not merely one like it.",
    "intensity": "What `intensity_means` says is true of the item; nothing weaker, nothing stronger.",
    "target": "Only what `target` allows differs from the original, and it does differ in what it demands.",
    "uncertainty": "A reader meets the uncertainty that `class_means` describes, and that of no other class.",
    "quality": "Question and text read like the work of a careful writer: fluent, without other faults, and without "
    "words that betray a test.",
    "answer_constraint": "What `answer_constraint` demands is so. Check it against `answers`, word for word.",
    "behaviour": "A careful system that has this text alone would do what `expected` says.",
}
"""When each criterion is met, in our own words."""


def rubric_row(row: Mapping[str, Any], levers: Iterable[Lever]) -> dict[str, str]:
    """Return what a sheet says of the task of a released row; blank for a lever that is not known."""
    named = str(row["lever_selected"]).casefold()
    lever = next((one for one in levers if one.name.casefold() == named), None)
    perturbation, intensity = PerturbationClass(row["perturbation_class"]), Intensity(row["intensity"])
    passages = len(row.get("original_grounding") or [row.get("original_context")])
    values = (lever.instruction, target_of(lever, passages, row.get("signal_indices") or ())) if lever else ("", "")
    return dict(zip(RUBRIC_COLUMNS, (*values, constraint_of(perturbation, intensity)), strict=True))


def guide() -> str:
    """Return the instructions for those who fill in a sheet, in Markdown."""
    criteria = [f"- `ok_{name}`: {RUBRIC.get(name) or ItemVerdict.model_fields[name].description}" for name in CRITERIA]
    return "\n".join(
        (
            "# How to fill in validation.csv",
            "",
            "Each row is one item. Read the original first, then the item, then the plan beside it.",
            "Write yes or no under each `ok_` column; a row is filled in wholly or not at all.",
            "In doubt write no, and say why under `comment`. An item passes if all are yes.",
            "",
            *criteria,
            "",
            "Two people fill in a copy each, without talking.",
            "`refusalbench validation A.csv B.csv` then gives the rates of both and Cohen's kappa between them.",
            "`refusalbench export LOGS -o OTHER --drop A.csv` leaves out what failed.",
            "",
        )
    )
