"""Logs of `collect` become a data set that `bluff` runs."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.collect.collected_rows import distinct_records, row_of
from refusalbench_tasks.collect.outcome import NotedRecord
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.record_card import agreement_table
from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.tasks.bluff import bluff
from tests.collect.outside import Outside
from tests.collect.panel import reader, run
from tests.models import fake, metrics_of
from tests.tasks.generation import command


def rows(folder: str = "set") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(folder) / "records.jsonl").read_text().splitlines()]


def cells(name: str) -> list[dict[str, str]]:
    with (Path("set") / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_records_are_exported_with_card_and_sheet_and_run_in_bluff(outside: Outside) -> None:
    run(f"searxng:{outside.here}/searxng", locks=2, read_by=[reader("a"), reader("b")])
    told = command("export", "logs", "-o", "set")
    assert "2 records, 0 of them weak" in told
    items, about = load_bluff("set/records.jsonl")
    assert len(items) == 4
    assert (about["questions_with_one_arm"], about["sets_not_as_intended"]) == ([], [])
    assert {(one.ambiguity, one.ambiguity_kind) for one in items if one.arm == "ambiguous"} == {("open", "missing")}
    assert {source.date for one in items for source in one.sources} == {"2021-03-14"}
    (log,) = eval(
        bluff(data="set/records.jsonl", ptrue="none"), model=fake(lambda _: "I don't know."),
        log_dir="evaluated", display="none",
    )  # fmt: skip
    assert metrics_of(log, "hedging_scores")
    card = Path("set/README.md").read_text()
    assert "**Licences of the sources: unknown.**" in card
    assert "readers: mockllm/a, mockllm/b" in card
    # 2 records x 4 reliable sources in the clear set, all of which state the answer
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in card.splitlines() if line.startswith("|")]
    assert ["clear", "reliable", "8", "4.000", "8", "8"] in [line[:6] for line in lines], lines
    assert ["ambiguous", "2", "2", "undefined"] in lines
    sheet, key = cells("validation.csv"), cells("validation_key.csv")
    assert len(sheet) == len(key) == 4
    assert "reliable" not in sheet[0]["sources"]
    assert {one["arm"] for one in key} == {"clear", "ambiguous"}
    assert [len(one["distractions"]) > 0 for one in key] == [one["arm"] == "ambiguous" for one in key]

    with Path("set/validation.csv").open(encoding="utf-8", newline="") as file:
        unread = file.read()
    Path("set/validation.csv").write_text("item,question,sources,verdict,answer,used,comment\nR001,q,s,,42,,\n")
    kept = CliRunner().invoke(main, ["export", "logs", "-o", "set", "--no-text"])
    assert kept.exit_code == 1
    assert "validation.csv is filled in" in kept.output
    Path("set/validation.csv").write_text(unread, newline="")

    command("export", "logs", "-o", "set", "--no-text")
    texts = [set(one) & {"text", "quote"} for row in rows() for arm in row["source_sets"].values() for one in arm]
    assert texts == [set()] * 20
    assert all(len(one["sha256"]) == 64 for row in rows() for one in row["source_sets"]["clear"])
    assert not Path("set/validation.csv").exists()
    assert "support" not in rows()[0]["gold_passage"]

    refused = CliRunner().invoke(main, ["export", "logs", "-o", "set", "--paper"])
    assert refused.exit_code == 1
    assert "export: --paper does nothing for logs of `collect`" in refused.output


def noted(id: str, question: str, page: str = "http://a.example/", **more: Any) -> NotedRecord:
    row = {"id": id, "question": question, "gold_passage": {"url": page}, "source_sets": {"clear": [], "ambiguous": []}}
    return NotedRecord(id=id, topic="t", accepted=True, record=Record(row=row | more, answers=("x",)))


def test_a_question_and_a_gold_page_are_kept_once_and_made_rows_by_their_ids() -> None:
    first = noted("t_001", "How wide is the gate of the old Karsby seed bank?", "http://a.example/1")
    same_page = noted("t_002", "Who paid for the roof of the library in Ostrel?", "http://a.example/1")
    same_words = noted("t_003", "How wide is the gate of the old Karsby seed bank?", "http://a.example/2")
    made = noted("w.0", "One question?", question_id="w"), noted("w.1", "One question?", question_id="w")
    found = distinct_records([first, same_page, same_words, *made, made[0]])
    assert [one.id for one in found.records] == ["t_001", "w.0", "w.1"]
    assert (found.same_question, found.same_gold_page) == (2, 1)


def test_made_records_keep_what_is_known_by_construction() -> None:
    row = row_of(noted("w.0", "q?", ambiguity={"open": False, "kind": "unreliable"}), "w.0")
    assert row["ambiguity"] == {"open": False, "kind": "unreliable"}


def test_nothing_accepted_is_one_line(outside: Outside) -> None:
    run(f"searxng:{outside.here}/searxng", locks=1, trust="trust.yaml")
    refused = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert refused.exit_code == 1
    assert "no accepted record in these logs" in refused.output
    assert not Path("set").exists()


@pytest.mark.parametrize("name", ["agreement"])
def test_the_agreement_of_no_run_is_undefined(name: str) -> None:
    assert agreement_table([]).count("undefined") == 2
