"""Passages: what they state stands in their lines."""

from tests.worlds.conftest import Row


def test_the_evidence_stands_in_the_passage(crossed_rows: list[Row]) -> None:
    for item in crossed_rows:
        assert all(line in item["perturbed_context"] for line in item["evidence"])
    assert sum(bool(item["evidence"]) for item in crossed_rows) > 0.95 * len(
        crossed_rows
    )
