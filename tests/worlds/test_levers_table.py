"""The table of levers says what is exact, and agrees with what is registered."""

import csv
from importlib.resources import files
from pathlib import Path

from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.worlds.lever import LEVERS
from refusalbench_tasks.worlds.lever_page import lever_page
from refusalbench_tasks.worlds.operations import LEVERS as REGISTERED

ROWS = list(
    csv.DictReader(
        (files("refusalbench_tasks.worlds") / "levers.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"
    )
)


def test_every_row_has_a_status_and_a_reason() -> None:
    assert {row["status"] for row in ROWS} <= {"exact", "approximate", "not procedural"}
    assert all(row["how"] for row in ROWS)
    assert len({(row["class"], row["intensity"], row["lever"]) for row in ROWS}) == len(ROWS)


def test_every_published_lever_is_told_by_its_name_and_most_are_exact() -> None:
    published = {(one.perturbation.value, one.intensity.value, one.name) for one in bundled_levers()}
    assert len(published) == 176
    assert {(row["class"], row["intensity"], row["lever"]) for row in ROWS} == published
    assert sum(row["status"] == "exact" for row in ROWS) >= 161


def test_levers_of_the_classes_in_the_table_are_those_that_are_registered() -> None:
    assert REGISTERED is LEVERS
    classes = {row["class"] for row in ROWS}
    told = {tuple(list(row.values())[:3]) for row in ROWS if row["status"] != "not procedural"}
    known = {(one.perturbation.value, one.intensity.value, one.name) for one in LEVERS}
    assert told == {one for one in known if one[0] in classes}


def test_the_page_of_the_documentation_is_the_table() -> None:
    page = Path(__file__).parents[2] / "docs" / "worlds-levers.md"
    assert page.read_text(encoding="utf-8") == lever_page()
    assert all(f"| {row['lever']} | {row['status']} |" in lever_page() for row in ROWS)
