"""What the card says of collected records."""

from typing import Any

from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.record_card import record_sections

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
