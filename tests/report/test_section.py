"""The section of a page has the numbers that `show` has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.section import section_of
from refusalbench_tasks.results.show import long_table, shown_runs
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.tables import Table
from tests.results.frozen_runs import frozen_run, group_of

FROZEN = sorted((Path(__file__).parents[1] / "results" / "frozen").glob("*.eval"))
PARTS = ("class", "intensity", "domain", "factors", "conflicts")
"""Tables of parts of the rows, whose columns are metrics of these parts alone."""
Number = tuple[float, ...]


def shown_numbers(one: Run) -> dict[str, Number]:
    """Return what `show --all` prints, by heading."""
    columns = ("value", "95 % low", "95 % high", "n")
    rows = long_table(shown_runs([one]), every=True).rows
    return {
        label_of(line["metric"]): tuple(line[name] for name in columns)
        for line in rows
        if line["n"] is not None
    }


def reported_numbers(one: Run) -> Iterator[tuple[str, Number]]:
    """Return what the tables of the report's section have, by heading."""
    section = section_of(group_of(one))
    for table in (*section.tables, *section.details):
        if table.key not in PARTS:
            yield from numbers_in(table)


def numbers_in(table: Table) -> Iterator[tuple[str, Number]]:
    for line in table.rows:
        for name in table.columns:
            if (
                str(line.get("system", "")).startswith("always ")
                or f"{name} n" not in line
            ):
                continue
            heading = name
            if table.key == "arms":
                arm = "difference" if "-" in line["arm"] else line["arm"]
                heading = f"{name} {arm}"
            ends = ("", " low", " high", " n")
            yield heading, tuple(line[f"{name}{end}"] for end in ends)


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.stem)
def test_show_and_the_report_have_the_same_numbers(path: Path) -> None:
    one = frozen_run(path)
    shown = shown_numbers(one)
    compared = 0
    for heading, number in reported_numbers(one):
        if heading in shown:
            compared += 1
            assert number == pytest.approx(shown[heading], nan_ok=True), heading
    assert compared >= 6
