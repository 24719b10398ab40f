"""Logs of `collect` become a data set that `bluff` runs."""

import csv
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.collect.export_records import (
    distinct_rows,
    record_sections,
    record_sheet,
)
from refusalbench_tasks.collect.record import ArmFound, NotedRecord, Record
from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.tasks.bluff import bluff
from tests.collect.panel import reader, run
from tests.collect.site import Site
from tests.models import fake, metrics_of
from tests.tasks.generation import command


def cells(name: str) -> list[dict[str, str]]:
    with (Path("set-people") / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_accepted_records_become_a_set_with_a_card_and_a_blind_sheet_beside_it(
    site: Site,
) -> None:
    run(site.engine(), read_by=[reader("a"), reader("b")], locks=2)
    assert "2 records" in command("export", "logs", "-o", "set")
    items, about = load_bluff("set/records.jsonl")
    assert len(items) == 4
    assert (about["questions_with_one_arm"], about["sets_not_as_intended"]) == ([], [])
    assert {
        (one.ambiguity, one.ambiguity_kind) for one in items if one.arm == "ambiguous"
    } == {("open", "missing")}
    assert {source.date for one in items for source in one.sources} == {"2021-03-14"}
    task = bluff(data="set/records.jsonl", ptrue="none")
    (log,) = eval(
        task, model=fake(lambda _: "I don't know."), log_dir="evaluated", display="none"
    )
    assert metrics_of(log, "hedging_scores")
    card = Path("set/README.md").read_text()
    assert "Unknown. The sources are pages of 10 hosts" in card
    assert "verifier: `mockllm/a` (default settings); `mockllm/b`" in card
    # 2 records x 4 reliable sources in the clear set
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in card.splitlines()
        if line.startswith("|")
    ]
    assert ["clear", "reliable", "8"] in lines
    sheet = cells("validation.csv")
    key = cells("validation_key.csv")
    assert len(sheet) == len(key) == 4
    assert "reliable" not in sheet[0]["sources"]
    assert [len(one["distractions"]) > 0 for one in key] == [
        one["arm"] == "ambiguous" for one in key
    ]

    people = Path("set-people/validation.csv")
    people.write_text(
        "item,question,sources,verdict,answer,used,comment\nR001,q,s,,42,,\n"
    )
    kept = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert (kept.exit_code, "is filled in" in kept.output) == (1, True)


def noted(id: str, question: str, page: str) -> NotedRecord:
    row = {
        "id": id,
        "question": question,
        "gold_passage": {"url": page},
        "source_sets": {"clear": [], "ambiguous": []},
    }
    found = {"ambiguous": ArmFound(kind="missing")}
    return NotedRecord(
        id=id, topic="t", accepted=True, record=Record(row=row), found=found
    )


def test_a_question_and_a_gold_page_are_kept_once() -> None:
    first = noted(
        "t_001",
        "How wide is the gate of the old Karsby seed bank?",
        "http://a.example/1",
    )
    same_page = noted(
        "t_002", "Who paid for the roof of the library in Ostrel?", "http://a.example/1"
    )
    same_words = noted(
        "t_003",
        "How wide is the gate of the old Karsby seed bank",
        "http://a.example/2",
    )
    found = distinct_rows([first, same_page, same_words])
    assert [row["id"] for row in found.rows] == ["t_001"]
    assert (found.same_question, found.same_gold_page) == (1, 1)
    twice = distinct_rows([first, noted("t_001", "Who dug it?", "http://a.example/3")])
    assert [row["id"] for row in twice.rows] == ["t_001", "t_002"]


def test_nothing_accepted_is_one_line(site: Site) -> None:
    run(site.engine(), locks=1, trust="trust.yaml")
    refused = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert refused.exit_code == 1
    assert "no accepted record in these logs" in refused.output
    assert not Path("set").exists()


ROW: dict[str, Any] = {
    "topic": "locks",
    "ambiguity": {"kind": "missing"},
    "source_sets": {
        "clear": [{"category": "reliable"}] * 4,
        "ambiguous": [{"category": "reliable"}, {"category": "distraction"}],
    },
}


def test_the_card_counts_sources_kinds_and_ends() -> None:
    records = [
        NotedRecord(id="a", topic="locks", accepted=True, stage="panel"),
        NotedRecord(
            id="b", topic="locks", accepted=False, stage="panel", reason="weak"
        ),
    ]
    sections = dict(record_sections(records, [ROW], "None is left out."))
    assert "| clear | reliable | 4 |" in sections["Composition"][0]
    assert "| missing | 1 |" in sections["Ambiguity"][1]
    assert "| accepted |  |  | 1 |" in sections["Yield"][1]
    assert "| rejected | panel | weak | 1 |" in sections["Yield"][1]
    assert sections["Left out"] == ["None is left out."]


def source(category: str) -> dict[str, Any]:
    return {"title": "T", "url": "http://a/", "date": "", "text": "x"} | {
        "category": category
    }


SHEET_ROW: dict[str, Any] = {
    "id": "t_001",
    "question": "How wide?",
    "gold_answer": "3 m",
    "ambiguity": {"kind": "missing"},
    "source_sets": {
        "clear": [source("reliable")],
        "ambiguous": [source("reliable"), source("distraction")],
    },
}


def test_the_sheet_is_blind_and_the_key_is_not() -> None:
    sheet = record_sheet([SHEET_ROW], 50, 0)
    assert [row["item"] for row in sheet.rows] == ["R001", "R002"]
    assert not any("distraction" in "".join(row.values()) for row in sheet.rows)
    key = {row["arm"]: row for row in sheet.key}
    assert key["clear"]["distractions"] == ""
    assert (key["ambiguous"]["kind"], key["ambiguous"]["distractions"]) == (
        "missing",
        "2",
    )
    assert "[1] T | http://a/ | no date\nx" in sheet.rows[0]["sources"]
