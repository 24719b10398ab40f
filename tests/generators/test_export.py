"""From accepted candidates to a data set: repeats, draw, sheet, what people drop, and
what the card says.
"""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.export import (
    ExportSettings,
    composition_table,
    export_rows,
    verifiers_agree,
)
from refusalbench_tasks.generators.generation_logs import Generated, read_runs
from refusalbench_tasks.generators.released_rows import released_row
from refusalbench_tasks.generators.validation_sheet import (
    COLUMNS,
    failed_keys,
    row_key,
)
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv
from refusalbench_tasks.taxonomy import CLASSES
from tests.generators.items import HIGH, NO, YES, item

FROZEN = Path(__file__).parent / "frozen"


def test_what_people_failed_is_dropped_whoever_wrote_it(tmp_path: Path) -> None:
    runs = read_runs(
        [str(FROZEN / f"{name}.eval") for name in ("whole_a", "whole_b")]
    ).runs
    every = export_rows(
        runs, tmp_path / "first", ExportSettings(None, None, per_cell=99)
    )
    sheet = tmp_path / "first-people" / "validation.csv"
    shown = read_sheet_rows(sheet)
    assert len(shown) == every.rows > 10
    said = [row | (NO if k % 2 else YES) for k, row in enumerate(shown)]
    (tmp_path / "filled.csv").write_text(sheet_csv(COLUMNS, said))
    settings = ExportSettings(
        None, None, drop=(tmp_path / "filled.csv",), sheets=(tmp_path / "filled.csv",)
    )
    # another writer's copy of a text that was failed must not come out in its place
    copies = [
        type(run)(
            run.header,
            (*run.items, *(copy_of(one) for one in run.items if one.accepted)),
            run.samples,
        )
        for run in runs
    ]
    done = export_rows(copies, tmp_path / "second", settings)
    failed = failed_keys([tmp_path / "filled.csv"])
    left = [
        row_key(released_row(one))
        for run in copies
        for one in run.items
        if one.accepted
    ]
    assert done.rows == every.rows - sum(bool(k % 2) for k, _ in enumerate(shown))
    assert not failed & {
        row_key(row) for row in read_rows(tmp_path / "second" / "rows.jsonl")
    }
    assert done.dropped == sum(key in failed for key in left) == 2 * len(failed)
    card = (tmp_path / "second" / "README.md").read_text()
    assert "Annotator 1: items that pass all criteria" in card
    assert "Nobody has checked these rows" not in card


def read_rows(path: Path) -> list[dict[str, Any]]:
    import json

    return [json.loads(line) for line in path.read_text().splitlines()]


def copy_of(one: Generated) -> Generated:
    return Generated("other/writer", one.slot, one.candidate, one.votes, True)


def test_one_and_ten_passages_are_not_mixed_and_nothing_accepted_is_an_error(
    tmp_path: Path,
) -> None:
    runs = read_runs(
        [str(FROZEN / f"{name}.eval") for name in ("ten", "together")]
    ).runs
    with pytest.raises(DataError, match="mix one-passage and ten-passage"):
        export_rows(runs, tmp_path / "set", ExportSettings())
    with pytest.raises(DataError, match="no accepted item"):
        export_rows(
            [type(runs[0])(runs[0].header, (), 0)], tmp_path / "set", ExportSettings()
        )
    assert list(tmp_path.iterdir()) == []


def judged(**votes: bool) -> Generated:
    """Return an item of a whole panel, with the vote of each verifier."""
    plain = item("text")
    ballots = tuple(
        ItemVote(verifier=name, digest="d", passed=passed)
        for name, passed in votes.items()
    )
    return Generated(
        plain.writer,
        plain.slot,
        plain.candidate,
        ballots,
        True,
        panel_share=1.0,
    )


def test_each_class_and_intensity_is_counted() -> None:
    table = composition_table(
        [item("a"), item("b"), item("c", cell=(CLASSES[1], HIGH))]
    )
    assert f"| {CLASSES[0].value} | 2 | 0 | 0 |" in table
    assert f"| {CLASSES[1].value} | 0 | 0 | 1 |" in table


def test_two_verifiers_are_compared_on_what_both_judged() -> None:
    items = [judged(a=True, b=True), judged(a=True, b=False), judged(a=False, c=True)]
    pairs = {(row["verifier"], row["other"]): row for row in verifiers_agree(items)}
    assert (pairs["a", "b"]["n"], pairs["a", "b"]["agreement"]) == (2, 0.5)
    assert pairs["a", "c"]["n"] == 1


def test_verifiers_of_different_runs_have_no_agreement() -> None:
    assert verifiers_agree([judged(a=True), judged(b=False)]) == []
