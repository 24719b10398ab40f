"""Export: duplicates, balance, sheet; what the files say."""

import csv
import io
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.annotators import annotator_agreement
from refusalbench_tasks.generators.balance import balanced
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.released_rows import row_of
from refusalbench_tasks.generators.rubric import RUBRIC, guide, rubric_row
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.validation_sheet import CHECKED, COLUMNS, draw_sheet, read_sheet, rejected_items
from refusalbench_tasks.generators.verification import CRITERIA
from refusalbench_tasks.sheets import sheet_csv
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Intensity, PerturbationClass
from tests.generators.kept import distinct

BASES = load_bases("nq_sample")
BASE = BASES[0]


def item(
    text: str,
    writer: str = "a/b",
    cell: tuple[PerturbationClass, Intensity] = (CLASSES[0], PERTURBED[0]),
    lever: str = "x",
    base: RefusalItem = BASE,
) -> Generated:
    slot = Slot(base=base, perturbation=cell[0], intensity=cell[1], lever=lever)
    candidate = Candidate(query="q", passages=(text,), lever=lever, reasoning="r")
    return Generated(writer, slot, candidate, (), True)


def test_repeats_are_kept_once_and_conflicts_not_at_all() -> None:
    items = [
        item("same"),
        item("same", "c/d"),
        item("clash"),
        item("clash", cell=(CLASSES[0], PERTURBED[2])),
        item("own"),
    ]
    found = distinct(items)
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


def test_items_stand_by_writer_class_intensity_id_and_text() -> None:
    cells = [(name, level) for name in CLASSES[:3] for level in PERTURBED[:2]]
    made = [item(f"{k}", "ab"[k % 2], cells[k % 6], "xyz"[k % 3], BASES[k % 4]) for k in range(200)]
    found = balanced(random.Random(3).sample(made, 200), None, None)
    due = sorted(made, key=lambda one: (one.writer, one.perturbation.value, one.intensity.value, one.sample_id,
                                        one.order_digest))  # fmt: skip
    assert found == due


def rows(n: int = 40) -> list[dict[str, Any]]:
    made = [item(f"t{k}", cell=(CLASSES[k % 6], PERTURBED[k % 3])) for k in range(n)]
    return [row_of(one, "RB") for one in made]


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
    assert distinct(clash).conflicts == 4


def test_the_draw_is_the_released_one_by_default_and_keeps_to_the_strata_without_a_total() -> None:
    items = [item(str(k), cell=(CLASSES[0], PERTURBED[k % 2])) for k in range(900)]
    released = balanced(items)
    assert released == balanced(items, 22, 400, 42)
    assert Counter(i.slot.intensity for i in balanced(items, 3, None)) == {PERTURBED[0]: 3, PERTURBED[1]: 3}
    unlike = [balanced(items, 23), balanced(items, 22, 401), balanced(items, 22, 400, 43)]
    assert released not in unlike


def test_inside_a_stratum_levers_and_bases_are_drawn_evenly_and_with_paper_by_chance() -> None:
    # 60 items of one stratum: lever "a" has 40 of them, b and c 10 each; six bases take turns
    bases = [BASE.model_copy(update={"item_id": f"{k}", "source_id": f"{k}"}) for k in range(6)]
    items = [item(str(k), lever="a" if k < 40 else "b" if k < 50 else "c", base=bases[k % 6]) for k in range(60)]
    even = balanced(items, 18, 18)
    assert Counter(i.slot.lever for i in even) == {"a": 6, "b": 6, "c": 6}
    assert max(Counter(i.slot.base.item_id for i in even).values()) <= 4
    chance = [Counter(i.slot.lever for i in balanced(items, 18, 18, seed, paper=True)) for seed in range(5)]
    assert all(one["a"] > 6 for one in chance)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 1)), max_size=40),
    st.integers(1, 6), st.integers(1, 30),
)  # fmt: skip
def test_the_even_draw_takes_what_looking_at_every_item_would_take(
    made: list[tuple[str, str, int]], per_stratum: int, total: int
) -> None:
    bases = {name: BASE.model_copy(update={"item_id": name, "source_id": name}) for name in "xyz"}
    items = [
        item(str(k), lever=lever, base=bases[base], cell=(CLASSES[0], PERTURBED[cell]))
        for k, (lever, base, cell) in enumerate(made)
    ]
    rng = random.Random("42|a/b")
    ordered = sorted(items, key=lambda i: (i.intensity.value, i.sample_id, i.order_digest))
    cells = sorted({f"{i.perturbation}|{i.intensity}" for i in items})
    pools = [[i for i in ordered if f"{i.perturbation}|{i.intensity}" == cell] for cell in cells]
    pools = [rng.sample(pool, len(pool)) for pool in pools]
    levers, sources, drawn = Counter[str](), Counter[str](), list[Generated]()

    def take(pool: list[Generated]) -> None:
        place = min(range(len(pool)), key=lambda k: (levers[pool[k].lever], sources[pool[k].source_id]))
        one = pool.pop(place)
        levers[one.lever] += 1
        sources[one.source_id] += 1
        drawn.append(one)

    for _ in range(per_stratum):
        for pool in pools:
            if pool and len(drawn) < total:
                take(pool)
    rest = [i for pool in pools for i in pool]
    while rest and len(drawn) < total:
        take(rest)
    found = balanced(items, per_stratum, total)
    assert sorted(map(id, found)) == sorted(map(id, drawn))


def test_an_id_depends_on_the_item_alone() -> None:
    one = row_of(item("text"), "RB")["id"]
    assert one == row_of(item("text"), "RB")["id"] != row_of(item("text", "c/d"), "RB")["id"]
    assert one.startswith(f"RB_b_{BASE.source_id}_P-Ambiguity_LOW_")
    assert len(one.rpartition("_")[2]) == 12


def test_the_sheet_says_what_was_to_be_done_and_the_guide_when_a_criterion_is_met() -> None:
    lever = next(one for one in bundled_levers() if one.perturbation is CLASSES[2] and one.intensity is PERTURBED[1])
    made = item("text", cell=(CLASSES[2], PERTURBED[1]), lever=lever.name)
    (line,) = draw_sheet([row_of(made, "RB") | rubric_row(row_of(made, "RB"), bundled_levers())])
    assert line["lever_instruction"] == lever.instruction
    assert line["target"] == "Change the passage only. The question stays exactly as it is."
    assert "must no longer be justified" in line["answer_constraint"]
    assert set(CRITERIA) == set(RUBRIC)
    assert all(f"`ok_{name}`" in guide() for name in CRITERIA)
    assert rubric_row(row_of(item("text", lever="unheard of"), "RB"), bundled_levers())["lever_instruction"] == ""


def test_two_annotators_have_kappa_over_the_items_that_both_filled_in(tmp_path: Path) -> None:
    yes, no = dict.fromkeys(CHECKED, "yes"), dict.fromkeys(CHECKED, "yes") | {"ok_target": "no"}
    first = filled(tmp_path / "a.csv", [yes, yes, no, no, yes])
    second = filled(tmp_path / "b.csv", [yes, no, no, no])
    found = {one.about: one for one in annotator_agreement(first, second)}
    # of four items three agree; by chance (2 * 1 + 2 * 3) / 16 would
    assert (found["all criteria"].n, found["all criteria"].agreement) == (4, 0.75)
    assert found["criterion target"].kappa == pytest.approx((0.75 - 0.5) / 0.5)
    assert math.isnan(found["criterion quality"].kappa)
    assert len(rejected_items([first])) == 2
    assert len(rejected_items([first, second])) == 3
    result = CliRunner().invoke(main, ["validation", str(first), str(second)])
    assert result.exit_code == 0
    assert "kappa" in result.output


def test_sheets_without_a_common_item_are_an_error(tmp_path: Path) -> None:
    yes: dict[str, str] = dict.fromkeys(CHECKED, "yes")
    first, second = filled(tmp_path / "a.csv", [yes]), filled(tmp_path / "b.csv", [{}, yes])
    with pytest.raises(DataError, match="no item is filled in in both"):
        annotator_agreement(first, second)
    (tmp_path / "c.csv").write_text(first.read_text() + first.read_text().split("\n", 1)[1])
    with pytest.raises(DataError, match="is there twice"):
        annotator_agreement(tmp_path / "c.csv", second)
