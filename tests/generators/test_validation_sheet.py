"""The sheet that people fill in, and what a filled one says."""

import csv
import io
from pathlib import Path

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.released_rows import released_row
from refusalbench_tasks.generators.validation_sheet import (
    CHECKED,
    annotator_agreement,
    draw_sheet,
    filled_rows,
    people_pass_rates,
)
from refusalbench_tasks.sheets import sheet_csv
from tests.generators.items import NO, YES, filled, item, rows


def test_the_sheet_is_blind_to_writer_and_votes_and_no_cell_is_a_formula() -> None:
    sheet = draw_sheet(
        [one | {"perturbed_query": "=HYPERLINK(1)"} for one in rows()], (), per_cell=3
    )
    text = sheet_csv(sheet.columns, sheet.rows)
    assert len(sheet.rows) == len(sheet.key) == 6 * 3
    assert "a/b" not in text
    assert "votes" not in text
    assert ",'=HYPERLINK(1)," in text
    header = next(csv.reader(io.StringIO(text)))
    assert len(set(header)) == len(header)
    assert all(f"`{column}`" in sheet.guide for column in CHECKED)


def test_a_sheet_says_what_was_to_be_done() -> None:
    lever = bundled_levers()[0]
    row = released_row(
        item("text", cell=(lever.perturbation, lever.intensity), lever=lever.name)
    )
    (shown,) = draw_sheet([row], bundled_levers()).rows
    assert shown["lever_instruction"] == lever.instruction
    assert shown["target"].startswith("Change the question only")
    assert shown["expected"] in shown["answer_constraint"]


def test_a_filled_sheet_gives_pass_rates_with_intervals(tmp_path: Path) -> None:
    found = {
        str(one["group"]): one
        for one in people_pass_rates(
            filled_rows(filled(tmp_path / "s.csv", [YES, YES, NO]))
        )
    }
    assert (found["all"]["passed"], found["all"]["n"]) == (2, 3)
    assert found["criterion quality"]["rate"] == pytest.approx(2 / 3)
    assert (
        0
        < float(found["all"]["95 % low"])
        < 2 / 3
        < float(found["all"]["95 % high"])
        < 1
    )


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ([YES | {"ok_target": "perhaps"}], "found 'perhaps'"),
        ([{"ok_target": "yes"}], "found ''"),
        ([], "no row is filled"),
    ],
)
def test_a_sheet_that_is_not_filled_in_well_is_named(
    answers: list[dict[str, str]], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=problem):
        filled_rows(filled(tmp_path / "s.csv", answers))


def test_two_annotators_agree_beyond_chance_or_not(tmp_path: Path) -> None:
    first = filled_rows(filled(tmp_path / "a.csv", [YES, YES, NO, NO]))
    second = filled_rows(filled(tmp_path / "b.csv", [YES, NO, NO, NO]))
    whole = annotator_agreement(first, second)[0]
    assert (whole["about"], whole["n"], whole["agreement"]) == (
        "all criteria",
        4,
        3 / 4,
    )
    assert whole["kappa"] == pytest.approx((3 / 4 - 1 / 2) / (1 / 2))
