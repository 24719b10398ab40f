"""The sheet by which people check records."""

from typing import Any

from refusalbench_tasks.collect.record_sheet import record_sheet


def source(category: str) -> dict[str, Any]:
    return {"title": "T", "url": "http://a/", "date": "", "text": "x"} | {
        "category": category
    }


ROW: dict[str, Any] = {
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
    sheet = record_sheet([ROW], 50, 0)
    assert [row["item"] for row in sheet.rows] == ["R001", "R002"]
    assert not any("distraction" in "".join(row.values()) for row in sheet.rows)
    key = {row["arm"]: row for row in sheet.key}
    assert key["clear"]["distractions"] == ""
    assert (key["ambiguous"]["kind"], key["ambiguous"]["distractions"]) == (
        "missing",
        "2",
    )
    assert "[1] T | http://a/ | no date\nx" in sheet.rows[0]["sources"]
