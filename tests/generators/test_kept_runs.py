"""What an export keeps of generation logs: briefs that count as the candidates do, and texts in files."""

import json
import pickle
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.agreement import panel_tables, verifiers_agree
from refusalbench_tasks.generators.ballot_runs import read_ballots
from refusalbench_tasks.generators.brief import Briefs
from refusalbench_tasks.generators.card_yields import skipped, without_verdict, yields_by_cell
from refusalbench_tasks.generators.counted import Counted
from refusalbench_tasks.generators.export import export
from refusalbench_tasks.generators.generation_logs import read_runs
from refusalbench_tasks.generators.kept_runs import keep_runs
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.kit.chosen_logs import choose_logs
from refusalbench_tasks.generators.line_files import write_lines, write_parquet
from refusalbench_tasks.generators.released_rows import row_of
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv
from tests.generators.test_generated import generate
from tests.tasks.generation import few_bases

COUNTED = (
    "writer", "perturbation", "intensity", "lever", "attempt", "written", "accepted", "panel_share", "broken", "reason",
    "votes", "ranking", "skipped", "source_id", "used_lever", "order_digest",
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("INSPECT_DISPLAY", "none")
        for fails in (20, 60):
            generate(bases=few_bases(4), fails=fails, attempts=2, verify="all")
    return str(folder / "logs")


def test_briefs_count_as_the_candidates_do_in_this_process_and_in_another(logs: str, tmp_path: Path) -> None:
    whole, kept = read_runs([logs]), keep_runs([logs], tmp_path)
    briefs = [item for run in kept.runs for item in run.items]
    assert len(briefs) == len(whole.items) > 8
    assert [run.slots for run in kept.runs] == [run.slots for run in whole.runs] == [4, 4]
    for items in (briefs, pickle.loads(pickle.dumps(briefs))):
        assert repr(panel_tables(items)) == repr(panel_tables(whole.items))
        assert repr(verifiers_agree(items)[0]) == repr(panel_tables(whole.items).tables["kappa"])
        for table in (yields_by_cell, without_verdict, skipped):
            assert repr(table(items)) == repr(table(whole.items))
        names = ("slot_id", "sample_id", "expected", "used_lever", "order_digest", "reason", "broken", "attempt")
        for brief, item in zip(items, whole.items, strict=True):
            assert [getattr(brief, name) for name in names] == [getattr(item, name) for name in names]


def test_agreement_is_read_without_texts_by_one_process_as_by_several(
    logs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = repr(panel_tables(read_runs([logs]).items))
    for cores in (1, 2):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        found = read_ballots([logs])
        assert repr(panel_tables(found.ballots)) == whole


def test_headers_of_chosen_logs_hold_no_name_of_each_sample(logs: str) -> None:
    (log,) = [str(path) for path in Path(logs).iterdir()][:1]
    (header,) = choose_logs([log], ("perturb",)).headers
    assert header.eval.dataset.sample_ids is None
    assert header.eval.dataset.samples


def test_equal_values_of_briefs_are_held_once(logs: str) -> None:
    briefs, items = Briefs(0), read_runs([logs]).runs[0].items
    one, other = briefs.of(items[0], 0), briefs.of(items[0], 1)
    assert one.outcome is other.outcome
    assert one.plan is other.plan
    assert one.slot_base is other.slot_base
    assert one.slot_rest is other.slot_rest
    assert one.slot_id == items[0].slot_id


def test_the_id_of_a_slot_may_have_any_form(logs: str) -> None:
    (first, *_) = read_runs([logs]).runs[0].items
    for name in ("", "a", "__", "a_b_c", "a_b_c_d", "a_b_P-Ambiguity_LOW_x"):
        base = first.slot.base.model_copy(update={"item_id": name})
        item = replace(first, slot=first.slot.model_copy(update={"base": base}))
        assert Briefs(0).of(item, 0).slot_id == item.slot_id
        known = SimpleNamespace(**{field: getattr(item, field) for field in COUNTED} | {"slot_id": name})
        assert Briefs(0).of(cast(Counted, known), 0).slot_id == name


def test_rows_and_originals_come_back_as_they_were(logs: str, tmp_path: Path) -> None:
    kept = keep_runs([logs], tmp_path)
    briefs = [item for run in kept.runs for item in run.items if item.accepted]
    items = [item for item in read_runs([logs]).items if item.accepted]
    rows = [row_of(item, 'A"é') for item in items]
    assert list(map(json.loads, kept.texts.rows(briefs[::-1], 'A"é'))) == rows[::-1]
    assert kept.texts.names_of(briefs) == [str(row["id"]).rpartition("_")[2] for row in rows]
    bases = {item.slot.base.item_id: base_row(item.slot.base) for item in items}
    assert list(map(json.loads, kept.texts.bases(briefs))) == [bases[name] for name in sorted(bases)]


@pytest.mark.parametrize("column", ["ok_target", "comment"])
def test_an_export_leaves_a_sheet_with_what_a_person_wrote(logs: str, tmp_path: Path, column: str) -> None:
    def again() -> None:
        (tmp_path / "spool").mkdir(exist_ok=True)
        export(keep_runs([logs], tmp_path / "spool"), tmp_path / "set", None, None)

    again()
    again()
    sheet = tmp_path / "set" / "validation.csv"
    rows = read_sheet_rows(sheet)
    sheet.write_text(sheet_csv(list(rows[0]), [rows[0] | {column: "written"}, *rows[1:]]))
    with pytest.raises(DataError, match=r"validation.csv is filled in"):
        again()
    assert read_sheet_rows(sheet)[0][column] == "written"


def test_lines_are_hashed_and_one_of_each_kind_is_kept(tmp_path: Path) -> None:
    rows = [{"a": 1, "n": {"x": 1}}, {"a": 2, "n": {}}, {"a": 3, "b": ["x"]}]
    found = write_lines(tmp_path / "x.jsonl", [json.dumps(row).encode() + b"\n" for row in rows])
    assert (found.number, found.examples, list(found.rows())) == (3, [rows[0], rows[2]], rows)
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(tmp_path / "x.parquet", found, ["n"])
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == [
        {"a": 1, "n": '{"x": 1}', "b": None},
        {"a": 2, "n": "{}", "b": None},
        {"a": 3, "n": None, "b": ["x"]},
    ]
