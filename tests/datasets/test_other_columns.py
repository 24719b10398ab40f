"""Columns that no field of a row reads: results are split by them, and nothing else
depends on them.
"""

from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.refusal_rows import RefusalRow
from refusalbench_tasks.datasets.rows import Row

ROW = {
    "query": "q?",
    "context": "c",
    "answers": ["a"],
    "class": "MissingInfo",
    "intensity": "HIGH",
}


def test_short_texts_and_numbers_are_kept_and_change_no_fingerprint() -> None:
    more = {
        "document": "faq.md",
        "version": 2,
        "note": "x" * 101,
        "parts": ["a"],
        "empty": " ",
    }
    plain, item = (
        RefusalRow.item_of(Row("file", "1", values)) for values in (ROW, ROW | more)
    )
    assert item.columns == {"document": "faq.md", "version": 2}
    assert fingerprint([item]) == fingerprint([plain])
    assert item.item_id == plain.item_id
