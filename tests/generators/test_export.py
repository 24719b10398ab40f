"""From accepted candidates to a data set: repeats, draw, sheet, what people drop, and
what the card says.
"""

import csv
import io
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.balance import balanced
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.distinct import distinct_items
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.evidence import Premise
from refusalbench_tasks.generators.export import ExportSettings, export
from refusalbench_tasks.generators.generation_logs import Generated, read_runs
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.perturbing import with_alternatives
from refusalbench_tasks.generators.released_rows import released_row
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.generators.validation_sheet import (
    CHECKED,
    COLUMNS,
    annotator_agreement,
    draw_sheet,
    failed_keys,
    filled_rows,
    pass_rates,
    row_key,
)
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv
from refusalbench_tasks.taxonomy import (
    CLASSES,
    PERTURBED,
    Intensity,
    Label,
    PerturbationClass,
)

BASES = curate("nq_sample").items
BASE = BASES[0]
LOW = PERTURBED[0]
HIGH = PERTURBED[2]
FROZEN = Path(__file__).parent / "frozen"
YES = dict.fromkeys(CHECKED, "yes")
NO = YES | {"ok_quality": "No"}


def item(
    text: str,
    writer: str = "a/b",
    cell: tuple[PerturbationClass, Intensity] = (CLASSES[0], LOW),
    lever: str = "x",
    base: RefusalItem = BASE,
) -> Generated:
    slot = ItemSlot(base=base, perturbation=cell[0], intensity=cell[1], lever=lever)
    return Generated(
        writer,
        slot,
        Candidate(query="q", passages=(text,), lever=lever, reasoning="r"),
        (),
        True,
    )


def test_repeats_are_kept_once_and_conflicts_not_at_all() -> None:
    clash = [item("clash"), item("clash", cell=(CLASSES[0], HIGH))]
    same = [item("the same"), item("The SAME.", "c/d"), item("own")]
    found = distinct_items([*same, *clash])
    assert [one.candidate.passages[0] for one in found.items if one.candidate] == [
        "the same",
        "own",
    ]
    assert (found.repeats, found.conflicts) == (1, 2)


def test_what_is_to_be_refused_and_did_not_change_is_left_out() -> None:
    same = Candidate(
        query=BASE.query.upper(), passages=BASE.passages, lever="x", reasoning=""
    )
    for level, left in ((HIGH, 0), (LOW, 1)):
        slot = ItemSlot(base=BASE, perturbation=CLASSES[0], intensity=level, lever="x")
        found = distinct_items([Generated("a", slot, same, (), True)])
        assert (len(found.items), found.unchanged) == (left, 1 - left)


def test_near_duplicates_with_two_labels_go_both_and_others_stay() -> None:
    words = (
        f"{BASE.passages[0]} The keeper of the light at Orrin wrote in the spring of"
        " the year that"
    )
    near = [
        item(f"{words} it rained."),
        item(f"{words} it snowed.", cell=(CLASSES[0], HIGH)),
    ]
    cider = (
        "Nobody knows who planted the pear trees, but every autumn the village gathers"
        " what the wind shakes"
    )
    found = distinct_items(
        [*near, item(f"{BASE.passages[0]} {cider} down, and there is cider for all.")]
    )
    assert (len(found.items), found.near) == (1, 2)
    assert distinct_items([near[0], item(f"{words} it snowed.")]).near == 0


@given(st.lists(st.integers(0, 17), max_size=80), st.integers(1, 4), st.integers(1, 40))
def test_no_stratum_is_short_while_filler_is_drawn(
    cells: list[int], per_stratum: int, total: int
) -> None:
    items = [
        item(str(k), cell=(CLASSES[c // 3], PERTURBED[c % 3]))
        for k, c in enumerate(cells)
    ]
    drawn = balanced(items, per_stratum, total)
    assert len({one.candidate for one in drawn}) == len(drawn) <= total
    if len(drawn) < total:
        have = Counter(cells)
        got = Counter(
            CLASSES.index(one.slot.perturbation) * 3
            + PERTURBED.index(one.slot.intensity)
            for one in drawn
        )
        assert all(got[c] >= min(per_stratum, have[c]) for c in have)


def test_a_draw_depends_on_the_seed_only() -> None:
    items = [item(f"{k}", writer) for writer in ("a/b", "c/d") for k in range(36)]
    drawn = balanced(items, 9, 9)
    assert drawn == balanced(items[::-1], 9, 9)
    assert Counter(one.writer for one in drawn) == {"a/b": 9, "c/d": 9}
    assert balanced(items, 5, 10, seed=1) != balanced(items, 5, 10, seed=2)
    assert len(balanced(items, None, None)) == 72


def rows(n: int = 40) -> list[dict[str, Any]]:
    return [
        released_row(item(f"text {k}", cell=(CLASSES[k % 6], PERTURBED[k % 3])), "RB")
        for k in range(n)
    ]


def filled(path: Path, answers: list[dict[str, str]]) -> Path:
    sheet = draw_sheet(rows(), bundled_levers(), per_cell=2)
    shown = [dict(row) for row in sheet.rows]
    for row, answer in zip(shown, answers, strict=False):
        row.update(answer)
    path.write_text(sheet_csv(COLUMNS, shown))
    return path


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
        item("text", cell=(lever.perturbation, lever.intensity), lever=lever.name), "RB"
    )
    (shown,) = draw_sheet([row], bundled_levers()).rows
    assert shown["lever_instruction"] == lever.instruction
    assert shown["target"].startswith("Change the question only")
    assert shown["expected"] in shown["answer_constraint"]


def test_a_filled_sheet_gives_pass_rates_with_intervals(tmp_path: Path) -> None:
    found = {
        str(one["group"]): one
        for one in pass_rates(filled_rows(filled(tmp_path / "s.csv", [YES, YES, NO])))
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


def test_what_people_failed_is_dropped_whoever_wrote_it(tmp_path: Path) -> None:
    runs = read_runs(
        [str(FROZEN / f"{name}.eval") for name in ("whole_a", "whole_b")]
    ).runs
    every = export(runs, tmp_path / "first", ExportSettings(None, None, per_cell=99))
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
    done = export(copies, tmp_path / "second", settings)
    failed = failed_keys([tmp_path / "filled.csv"])
    left = [
        row_key(released_row(one, ""))
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
        export(runs, tmp_path / "set", ExportSettings())
    with pytest.raises(DataError, match="no accepted item"):
        export(
            [type(runs[0])(runs[0].header, (), 0)], tmp_path / "set", ExportSettings()
        )
    assert list(tmp_path.iterdir()) == []


def test_a_row_says_what_its_item_has_beside_the_texts() -> None:
    lever = next(
        one for one in bundled_levers() if one.name == "Average From Individual"
    )
    slot = ItemSlot(
        base=BASE,
        perturbation=lever.perturbation,
        intensity=lever.intensity,
        lever=lever.name,
    )
    ground = "No second one was built."
    made = Candidate(
        query="q",
        passages=(f"{BASE.passages[0]} {ground}",),
        lever=lever.name,
        reasoning="",
        ground_added=ground,
        evidence=Premise(premise="p", contradicted_by=ground),
    )
    row = released_row(
        Generated(
            "a/b", slot, with_alternatives(slot, made, bundled_levers()), (), True
        ),
        "RB",
    )
    assert (row["ground_added"], row["accepted_alternatives"]) == (
        ground,
        [Label.GRANULARITY.value],
    )
    assert row["evidence"] == {"premise": "p", "contradicted_by": ground}
    assert (
        row["perturbed_context"].removesuffix(f" {ground}") == row["original_context"]
    )
    plain = released_row(item("x"), "RB")
    assert not plain.keys() & {"ground_added", "evidence", "accepted_alternatives"}
