"""Each lever has an item on a base question that was not built for it, and the item keeps every rule.

They are bundled rows, labelled cases of `test_rule_cases`, whose writers did not know the rules, and for the rest the
items of `worked_items.yaml`.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.applicability import properties_of, unmet
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.checks import check
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import Lever, bundled_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label
from tests.datasets.test_bundled_rows import pairs
from tests.generators.test_rule_cases import ROWS, broken

LEVERS = {lever.name: lever for lever in bundled_levers()}
WORKED: list[dict[str, Any]] = yaml.load(
    Path(__file__).with_name("worked_items.yaml").read_text("utf-8"), yaml.CSafeLoader
)
NAMED: dict[str, Any] = {"item_id": "b", "source_id": "b", "expected": Label.ANSWER}
WITHOUT = {"Mutual Exclusion Claim"}
"""Levers whose needs no base question meets here but one that was built for them."""


@cache
def bases() -> dict[str, tuple[RefusalItem, str]]:
    """Return base questions with the lever that they were built for, if any."""
    found = {}
    for lever in LEVERS.values():
        before = lever.example.before
        item = RefusalItem(query=before.query, passages=(before.context,), answers=lever.example.answers, **NAMED)
        found[before.query] = (item, lever.name)
    for row in ROWS:
        if not row["multi"]:
            item = RefusalItem.model_validate(row["base"] | NAMED)
            found.setdefault(item.query, (item, row["lever"]))
    return found | {item.query: (item, "") for item in load_bases("nq_sample")}


def case(row: dict[str, Any]) -> tuple[Slot, Candidate, Lever]:
    lever, (base, _) = LEVERS[row["lever"]], bases()[row["base"]]
    (text,) = base.passages
    for find, replace in row.get("edits", {}).items():
        assert text.count(find) == 1, find
        text = text.replace(find, replace)
    ground = row.get("ground", "")
    slot = Slot(base=base, perturbation=lever.perturbation, intensity=lever.intensity, lever=lever.name)
    made = Candidate(
        query=row.get("query", base.query), passages=(f"{text} {ground}".strip(),), lever=lever.name, reasoning="",
        ground_added=ground,
    )  # fmt: skip
    return slot, made, lever


@pytest.mark.parametrize("row", WORKED, ids=[row["lever"] for row in WORKED])
def test_a_lever_is_worked_on_a_base_that_was_not_built_for_it(row: dict[str, Any]) -> None:
    slot, made, lever = case(row)
    assert bases()[row["base"]][1] != lever.name
    assert unmet(lever, properties_of(slot.base)) == ()
    assert check(slot, made, [lever]) == {}


def test_every_lever_has_one_but_those_that_fit_no_other_base() -> None:
    labelled = {row["lever"] for row in ROWS if row["verdict"] == "good" and not broken(row["id"])}
    worked = labelled | {row["lever"] for row in WORKED} | bundled()
    assert set(LEVERS) - worked == WITHOUT


def bundled() -> set[str]:
    """Return the levers of the bundled rows."""
    return {str(item.lever) for benchmark in (NQ, GARAGE) for _, item in pairs(benchmark)}
