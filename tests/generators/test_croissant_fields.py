"""A data set's fields are looked at once each, however many rows it has."""

import json
from typing import Any

import pytest

from refusalbench_tasks.generators.kit import croissant


def test_each_field_is_looked_at_once_and_not_once_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    kind = croissant._kind

    def noted(values: Any) -> tuple[str, bool]:
        looked.append(len(values))
        return kind(values)

    monkeypatch.setattr(croissant, "_kind", noted)
    rows = [{"id": str(k), "n": k} for k in range(50)] + [{"id": "last", "tags": ["a"]}]
    told = json.loads(croissant.croissant("n", "d", "l", "2026-01-01", {"rows.jsonl": ("", rows)}))
    assert looked == [51, 50, 1]
    fields = told["recordSet"][0]["field"]
    assert [(one["name"], one["dataType"], one.get("repeated", False)) for one in fields] == [
        ("rows/id", "sc:Text", False), ("rows/n", "sc:Integer", False), ("rows/tags", "sc:Text", True)
    ]  # fmt: skip
