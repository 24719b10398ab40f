"""Rows of which a blind reader gave the same label and answer, one of each defect at
each of its intensities.
"""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.defects import defects
from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad_rows import row

WORKED = [
    json.loads(line)
    for line in (Path(__file__).parent / "worked_rows.jsonl")
    .read_text("utf-8")
    .splitlines()
]
SEED = 4321


def test_all_classes_and_intensities_and_all_defects_have_one() -> None:
    cells = {(item["perturbation_class"], item["intensity"]) for item in WORKED}
    grades = (Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH)
    assert cells == {
        (one.value, grade.value) for one, grade in product(PerturbationClass, grades)
    }
    assert {item["defect"] for item in WORKED} == set(defects())


@pytest.mark.parametrize(
    "worked", WORKED, ids=[f"{item['defect']} {item['intensity']}" for item in WORKED]
)
def test_a_row_is_what_was_read_as_long_as_its_version_stands(
    worked: dict[str, Any],
) -> None:
    """A change of any of these needs a new version, and somebody to read them again."""
    made = row(SEED, worked["row"], DOMAINS)
    assert made["original_answers"][0] == worked["answer"]
    assert {
        name: made[name] for name in worked.keys() - {"defect", "row", "answer"}
    } == {
        name: value
        for name, value in worked.items()
        if name not in ("defect", "row", "answer")
    }
