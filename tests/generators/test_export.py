"""Export: duplicates, balance, sheet; what the files say."""

import csv
import io
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.spreadsheet import sheet_csv
from refusalbench_tasks.generators.balance import balanced, distinct_items
from refusalbench_tasks.generators.bases import load_bases
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.released_rows import row_of
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.validation_sheet import CHECKED, COLUMNS, draw_sheet, read_sheet
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass

BASE = load_bases("nq_sample")[0]


def item(
    text: str, writer: str = "a/b", cell: tuple[PerturbationClass, Intensity] = (CLASSES[0], PERTURBED[0])
) -> Generated:
    slot = Slot(base=BASE, perturbation=cell[0], intensity=cell[1], lever="x")
    candidate = Candidate(query="q", passages=(text,), lever="x", reasoning="r")
    return Generated(writer, slot, candidate, (), True)


def test_repeats_are_kept_once_and_conflicts_not_at_all() -> None:
    items = [
        item("same"),
        item("same", "c/d"),
        item("clash"),
        item("clash", cell=(CLASSES[0], PERTURBED[2])),
        item("own"),
    ]
    found = distinct_items(items)
    assert [i.candidate.passages[0] for i in found.items if i.candidate] == ["same", "own"]
    assert (found.repeats, found.conflicts) == (1, 2)


@given(st.lists(st.integers(0, 17), max_size=80), st.integers(1, 4), st.integers(1, 40))
def test_no_stratum_is_short_while_filler_is_drawn(cells: list[int], per_stratum: int, total: int) -> None:
    items = [item(str(k), cell=(CLASSES[c // 3], PERTURBED[c % 3])) for k, c in enumerate(cells)]
    drawn = balanced(items, per_stratum, total)
    assert len({i.candidate for i in drawn}) == len(drawn) <= total
    if len(drawn) < total:
        have = Counter(cells)
        got = Counter(CLASSES.index(i.slot.perturbation) * 3 + PERTURBED.index(i.slot.intensity) for i in drawn)
        assert all(got[c] >= min(per_stratum, have[c]) for c in have)


def test_the_draw_depends_on_the_seed_only() -> None:
    items = [item(str(k), writer) for writer in ("a/b", "c/d") for k in range(50)]
    assert balanced(items, 5, 10) == balanced(items[::-1], 5, 10)
    assert Counter(i.writer for i in balanced(items, 5, 10)) == {"a/b": 10, "c/d": 10}
    assert balanced(items, 5, 10, seed=1) != balanced(items, 5, 10, seed=2)
    assert len(balanced(items, None, None)) == 100


def rows(n: int = 40) -> list[dict[str, Any]]:
    made = [item(f"t{k}", cell=(CLASSES[k % 6], PERTURBED[k % 3])) for k in range(n)]
    return [row_of(one, k, "RB") for k, one in enumerate(made, 1)]


def test_the_sheet_is_blind_to_writer_and_votes() -> None:
    sheet = draw_sheet(rows(), per_cell=3)
    assert len(sheet) == 6 * 3
    text = sheet_csv(COLUMNS, sheet)
    assert "a/b" not in text
    assert "votes" not in text
    header = next(csv.reader(io.StringIO(text)))
    assert len(set(header)) == len(header)


def test_a_cell_is_never_a_formula() -> None:
    row = rows(1)[0] | {"perturbed_query": "=HYPERLINK(1)"}
    assert ",'=HYPERLINK(1)," in sheet_csv(COLUMNS, draw_sheet([row]))


def filled(path: Path, answers: list[dict[str, str]]) -> Path:
    sheet = draw_sheet(rows(), per_cell=2)
    for line, answer in zip(sheet, answers, strict=False):
        line.update(answer)
    path.write_text(sheet_csv(COLUMNS, sheet))
    return path


def test_a_filled_sheet_gives_pass_rates_with_intervals(tmp_path: Path) -> None:
    yes, no = dict.fromkeys(CHECKED, "yes"), dict.fromkeys(CHECKED, "Yes") | {"ok_quality": "no"}
    found = {rate.group: rate for rate in read_sheet(filled(tmp_path / "s.csv", [yes, yes, no]))}
    assert (found["all"].passed, found["all"].n) == (2, 3)
    assert found["criterion quality"].rate == pytest.approx(2 / 3)
    assert found["criterion intensity"].rate == 1.0
    low, high = found["all"].interval
    assert low < 2 / 3 < high


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ([], "no row is filled in"),
        ([{"ok_quality": "yes"}], "row 1, field 'ok_lever_fidelity': expected yes or no, found ''"),
        ([dict.fromkeys(CHECKED, "perhaps")], "expected yes or no, found 'perhaps'"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_where(tmp_path: Path, answers: list[dict[str, str]], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        read_sheet(filled(tmp_path / "s.csv", answers))


def test_every_conflict_counts() -> None:
    clash = [item(text, cell=(CLASSES[k % 2], PERTURBED[2])) for text in ("one", "two") for k in range(2)]
    assert distinct_items(clash).conflicts == 4


def test_the_draw_is_the_released_one_by_default_and_keeps_to_the_strata_without_a_total() -> None:
    items = [item(str(k), cell=(CLASSES[0], PERTURBED[k % 2])) for k in range(900)]
    assert balanced(items) == balanced(items, 22, 400, 42)
    assert Counter(i.slot.intensity for i in balanced(items, 3, None)) == {PERTURBED[0]: 3, PERTURBED[1]: 3}
    unlike = [balanced(items, 23), balanced(items, 22, 401), balanced(items, 22, 400, 43)]
    assert balanced(items) not in unlike
